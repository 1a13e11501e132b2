// http/request: an HTTP request that the gateway makes for the client, with the response whole or streamed.
import { z } from 'zod';
import { numberText } from './number-text.ts';
import { base64, count, name } from './scalars.ts';

/** Limits on a request's URL, method and headers; servers accept much less. */
const MAX_URL_CHARS = 64 * 1024;
const MAX_METHOD_CHARS = 1024;
const MAX_HEADERS = 1000;
const MAX_HEADER_CHARS = 256 * 1024;

const header = z.object({ name: z.string(), value: z.string() });
const headers = z
  .array(header)
  .max(MAX_HEADERS, `has more than ${numberText(MAX_HEADERS)} headers`)
  .refine(
    (all) =>
      all.reduce((chars, { name: of, value }) => chars + of.length + value.length, 0) <= MAX_HEADER_CHARS,
    `has more than ${numberText(MAX_HEADER_CHARS)} characters`,
  );

export const httpRequestParams = z.object({
  method: z.string().max(MAX_METHOD_CHARS, `is longer than ${numberText(MAX_METHOD_CHARS)} characters`),
  url: z.string().max(MAX_URL_CHARS, `is longer than ${numberText(MAX_URL_CHARS)} characters`),
  headers,
  bodyBase64: base64.nullish(),
  /** Time limit for the whole response; default: no limit. */
  timeoutMs: count.nullish(),
  redirectPolicy: z.enum(['follow', 'stop']).optional(),
  /** Name of the streamed response in its notifications. */
  requestId: name,
  streamResponse: z.boolean().optional(),
});
export type HttpRequest = z.infer<typeof httpRequestParams>;

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Empty when the body is streamed. */
  readonly bodyBase64: string;
}

/** A part of a body, in order of `seq` from 1; the last one is empty and has `done`. */
export interface BodyDelta {
  readonly requestId: string;
  readonly seq: number;
  readonly deltaBase64: string;
  readonly done: boolean;
  /** Reason why the body is incomplete; only in the last delta. */
  readonly error: string | null;
}
