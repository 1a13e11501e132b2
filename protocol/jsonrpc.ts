// JSON-RPC as the exec-server uses it: no `jsonrpc` member, one message per frame, no batches.
import { beyond, type Extent } from './json-extent.ts';
import { numberText } from './number-text.ts';

/** A request id; the reply repeats it with the same type. */
export type RequestId = string | number;

/** All error codes of the protocol. The reference does not have those from `unknownKey` on. */
export const ErrorCode = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32004,
  stillAttached: -32010,
  unknownKey: -32020,
  forbidden: -32021,
  notController: -32022,
  noTty: -32023,
  alreadyAttached: -32024,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

export interface WireError {
  readonly code: number;
  readonly message: string;
}

/** A decoded frame from a peer. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId; readonly error: WireError }
  | { readonly kind: 'malformed'; readonly reason: string };

const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const malformed = (reason: string): Incoming => ({ kind: 'malformed', reason });

/** Limits on the number of values, and of object members, in a message. */
export type MessageExtent = Omit<Extent, 'levels'>;

/** Maximum depth: more than any legitimate message has, and safe for recursive code. */
const MAX_JSON_DEPTH = 64;

/**
 * Parses a frame; never throws. Anything that is not a message becomes `malformed`, with a reason. A message
 * that exceeds a limit is not parsed, since that could block the event loop or overflow the stack. Default for
 * `values` and `members`: no limit.
 */
export function parseMessage(
  text: string,
  { values = Number.POSITIVE_INFINITY, members = Number.POSITIVE_INFINITY }: Partial<MessageExtent> = {},
): Incoming {
  switch (beyond(text, { levels: MAX_JSON_DEPTH, values, members })) {
    case 'levels':
      return malformed(`nested more than ${numberText(MAX_JSON_DEPTH)} levels deep`);
    case 'values':
      return malformed(`more than ${numberText(values)} values`);
    case 'members':
      return malformed(`more than ${numberText(members)} object members`);
    case null:
  }
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (cause) {
    return malformed(`not JSON: ${(cause as Error).message}`);
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return malformed('a message must be one JSON object');
  }
  const { id, method, params, result, error } = message as Record<string, unknown>;
  if ('id' in message && !isRequestId(id)) return malformed('"id" must be a string or an integer');
  if (method !== undefined) {
    if (typeof method !== 'string') return malformed('"method" must be a string');
    return isRequestId(id)
      ? { kind: 'request', id, method, params }
      : { kind: 'notification', method, params };
  }
  if (!isRequestId(id))
    return malformed('a message must have a "method", or an "id" with a "result" or an "error"');
  if (error !== undefined) return readError(id, error);
  if ('result' in message) return { kind: 'result', id, result };
  return malformed('a message must have a "method", a "result" or an "error"');
}

function readError(id: RequestId, error: unknown): Incoming {
  const { code, message } = (error ?? {}) as Record<string, unknown>;
  if (typeof code !== 'number' || typeof message !== 'string') {
    return malformed('"error" must have a number "code" and a string "message"');
  }
  return { kind: 'error', id, error: { code, message } };
}
