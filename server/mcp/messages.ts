// JSON-RPC 2.0 as used by the Model Context Protocol: messages from a client, and error codes.
import { z } from 'zod';

const id = z.union([z.string().max(200), z.number()]);
const jsonrpc = z.literal('2.0');
const members = z.record(z.string(), z.unknown());

const request = z.object({ jsonrpc, id, method: z.string().max(200), params: members.optional() });
const notification = z.object({
  jsonrpc,
  id: z.undefined().optional(),
  method: z.string().max(200),
  params: members.optional(),
});
const response = z.object({ jsonrpc, id, result: z.unknown().optional(), error: z.unknown().optional() });

export type RequestId = z.infer<typeof id>;
export type Request = z.infer<typeof request>;
export type Notification = z.infer<typeof notification>;
/** A client's reply to a request from the gateway. */
export type Response = z.infer<typeof response>;
export type Message = Request | Notification | Response;

const message = z.union([request, notification, response]);

export const isRequest = (each: Message): each is Request => 'method' in each && each.id !== undefined;
export const isResponse = (each: Message): each is Response => !('method' in each);

/** Returns the value as a message; null when it is not one of the three kinds. */
export const messageOf = (value: unknown): Message | null => message.safeParse(value).data ?? null;

export const McpError = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** Error code of streamable HTTP for a session that has ended or never existed. */
  unknownSession: -32001,
} as const;

/** Returns the first problem of a client's message, with the name of the field. */
export function problemIn({ issues }: z.ZodError): string {
  const [{ path, message } = { path: [], message: 'not valid' }] = issues;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

export const resultOf = (id: RequestId, result: object): object => ({ jsonrpc: '2.0', id, result });

export const errorOf = (id: RequestId | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
