// Reads an answer from a gateway's address with limits on size and time, and without redirects, because any program
// may answer there.
import type { Answered } from './proof.ts';

/** Maximum size of an answer; a gateway's longest answer is a few hundred bytes. */
export const MOST_ANSWER_BYTES = 16 * 1024;
/** Time limit for an answer, including its body. */
const ANSWER_MS = 10_000;

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Members of `fetch`'s response that are used here; browsers and Node both have them. */
interface Response {
  readonly status: number;
  readonly body: { getReader(): Reader } | null;
}

interface Posted {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

declare const AbortSignal: { timeout(ms: number): object };
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const URL: new (url: string) => { readonly host: string };
declare const fetch: (
  url: string,
  options: Partial<Posted> & {
    readonly cache: 'no-store';
    readonly redirect: 'error';
    readonly signal: object;
  },
) => Promise<Response>;

/**
 * Resolves with the status and the text of the answer, cut at the size limit; rejects on a timeout, a redirect or a
 * network error, with an error that names the host.
 */
export function askBounded(url: string, posted?: Posted): Promise<Answered> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  return fetch(url, { ...posted, cache: 'no-store', redirect: 'error', signal })
    .then(async (response) => ({ status: response.status, body: await boundedText(response) }))
    .catch((cause: unknown) => {
      // The error of a failed `fetch` differs by browser and does not name the host.
      throw new Error(`the gateway cannot be reached: no usable answer from ${new URL(url).host}`, { cause });
    });
}

/** Resolves with the text of a response up to the limit; the rest is not read. */
async function boundedText({ body }: Pick<Response, 'body'>): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const bytes = new Uint8Array(MOST_ANSWER_BYTES);
  let length = 0;
  while (length < bytes.length) {
    const { done, value } = await reader.read();
    if (done || !value) break;
    const part = value.subarray(0, bytes.length - length);
    bytes.set(part, length);
    length += part.length;
  }
  if (length === bytes.length) await reader.cancel();
  return new TextDecoder().decode(bytes.subarray(0, length));
}
