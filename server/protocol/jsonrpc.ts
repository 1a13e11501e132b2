// JSON-RPC as the exec-server speaks it: no `jsonrpc` member, one message a frame, no batches.

/** A request id: echoed in the reply with its type. */
export type RequestId = string | number;

/** Every error code on the wire. The last five are ours and appear only on requests by `key`. */
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

/** What one frame from a peer turned out to be. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId; readonly error: WireError }
  | { readonly kind: 'malformed'; readonly reason: string };

const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const malformed = (reason: string): Incoming => ({ kind: 'malformed', reason });

/** Deeper than any message that makes sense; what goes through a message by recursion is safe up to it. */
const MAX_JSON_DEPTH = 64;

/** Reads one frame. Never throws: whatever is no message is `malformed`, with the reason. */
export function parseMessage(text: string): Incoming {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (cause) {
    return malformed(`not JSON: ${(cause as Error).message}`);
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return malformed('a message is one JSON object');
  }
  if (isDeeperThan(message, MAX_JSON_DEPTH))
    return malformed(`nested more than ${MAX_JSON_DEPTH} levels deep`);
  const { id, method, params, result, error } = message as Record<string, unknown>;
  if ('id' in message && !isRequestId(id)) return malformed('"id" must be a string or an integer');
  if (method !== undefined) {
    if (typeof method !== 'string') return malformed('"method" must be a string');
    return isRequestId(id)
      ? { kind: 'request', id, method, params }
      : { kind: 'notification', method, params };
  }
  if (!isRequestId(id)) return malformed('a message has a "method" or an "id" with a "result" or an "error"');
  if (error !== undefined) return readError(id, error);
  if ('result' in message) return { kind: 'result', id, result };
  return malformed('a message has a "method", a "result" or an "error"');
}

function readError(id: RequestId, error: unknown): Incoming {
  const { code, message } = (error ?? {}) as Record<string, unknown>;
  if (typeof code !== 'number' || typeof message !== 'string') {
    return malformed('"error" needs a number "code" and a string "message"');
  }
  return { kind: 'error', id, error: { code, message } };
}

/** Level by level, so that no depth can be too deep for the check itself. */
function isDeeperThan(value: object, levels: number): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: object[] = [];
    for (const each of level) {
      for (const member of Object.values(each)) {
        if (typeof member === 'object' && member !== null) next.push(member as object);
      }
    }
    level = next;
  }
  return false;
}
