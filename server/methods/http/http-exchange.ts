// Sends one HTTP request with Node's client: follows redirects, can be aborted, and reads the body only as
// fast as it is consumed.
import { isUtf8 } from 'node:buffer';
import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
  readonly followsRedirects: boolean;
}

/** Maximum number of redirects, as in the reference server. */
const MOST_REDIRECTS = 10;
/** Headers that are not sent to another origin, since the caller did not intend them for the redirect's target. */
const CREDENTIALS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'www-authenticate'];

/** Methods that Node sends without a body if none is given. */
const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/**
 * Resolves with the head of the response, whose body is a stream; rejects on failure or when `signal` aborts
 * first. `judge` decides about each redirect to another origin, and rejects to refuse it.
 */
export async function exchange(
  outgoing: Outgoing,
  signal: AbortSignal,
  judge: (next: Outgoing) => Promise<void>,
): Promise<IncomingMessage> {
  let next = withCredentials(outgoing);
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(next, signal);
    const { location } = response.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode ?? 0) && location !== undefined;
    if (!outgoing.followsRedirects || !isRedirect) return response;
    // The body of a redirect is not needed, and may be endless.
    response.destroy();
    if (redirects >= MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects`);
    const from = next;
    next = redirected(from, response.statusCode ?? 0, new URL(asText(location), from.url));
    if (from.url.origin !== next.url.origin) await unlessAborted(() => judge(next), signal);
  }
}

/** Returns a header decoded as UTF-8 if it is valid UTF-8, as in browsers; Node decodes every header as latin1. */
function asText(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

async function unlessAborted(decide: () => Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'));
    signal.addEventListener('abort', stop);
  });
  await Promise.race([decide(), aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/**
 * Removes a name and a password from the URL, and adds them as a header unless `authorization` is set: Node ignores
 * them in the URL when headers are a list.
 */
function withCredentials(asked: Outgoing): Outgoing {
  const { username, password } = asked.url;
  const outgoing = { ...asked, url: withoutCredentials(asked.url) };
  const { headers } = outgoing;
  const has = headers.some(([name]) => name.toLowerCase() === 'authorization');
  if ((username === '' && password === '') || has) return outgoing;
  const credentials = Buffer.concat([unescaped(username), Buffer.from(':'), unescaped(password)]);
  return { ...outgoing, headers: [...headers, ['authorization', `Basic ${credentials.toString('base64')}`]] };
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

/** Decodes percent escapes to bytes, which need not be valid UTF-8. */
const unescaped = (part: string): Buffer =>
  Buffer.from(
    part.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/**
 * Returns the request that a browser would send: a GET after a 303 (unless HEAD), and after a POST with a 301 or 302.
 * Throws for a URL that is not http(s).
 */
function redirected(from: Outgoing, status: number, url: URL): Outgoing {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`a redirect to the URL scheme "${url.protocol.slice(0, -1)}" is not followed`);
  const isElsewhere = url.origin !== from.url.origin;
  const becomesGet =
    (status === 303 && from.method !== 'HEAD') ||
    ((status === 301 || status === 302) && from.method === 'POST');
  const headers = from.headers.filter(([name]) => {
    const known = name.toLowerCase();
    if (isElsewhere && CREDENTIALS.includes(known)) return false;
    return !(becomesGet && known.startsWith('content-')) && known !== 'host';
  });
  return { ...from, url: withoutCredentials(url), headers, ...(becomesGet && { method: 'GET', body: null }) };
}

function send(asked: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, url, body } = asked;
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options: RequestOptions = { method, signal, headers: flat(asked) };
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = start(url, options, resolve);
    outgoing.on('error', reject);
    // Node reports a switch of the protocol as neither a response nor an error.
    const refuse = ({ statusCode, statusMessage }: IncomingMessage, socket: Duplex): void => {
      socket.destroy();
      reject(
        new Error(
          `the response ${statusCode} ${statusMessage} switches the protocol, which is not supported`,
        ),
      );
    };
    outgoing.on('upgrade', refuse);
    outgoing.on('connect', refuse);
    outgoing.on('close', () => reject(new Error('the connection was closed without a response')));
    outgoing.end(body ?? undefined);
  });
}

/**
 * Returns the headers as a flat list, with `host`, `accept` and, where needed, `content-length` if they are missing.
 * Given a list, Node allows repeated names, but does not add `host`.
 */
function flat({ method, url, headers, body }: Outgoing): string[] {
  // Node would send an empty chunked body with any other method if no length were set.
  const length = body?.length ?? (WITHOUT_BODY.includes(method) ? null : 0);
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  return [
    ...(has('host') ? [] : ['host', url.host]),
    ...(has('accept') ? [] : ['accept', '*/*']),
    ...headers.flat(),
    ...(length !== null && !has('content-length') && !has('transfer-encoding')
      ? ['content-length', String(length)]
      : []),
  ];
}
