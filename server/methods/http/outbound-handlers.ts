// Handler of http/request, which returns the response whole or in parts, no faster than the client
// receives them.
import { validateHeaderName, validateHeaderValue, type IncomingMessage } from 'node:http';
import type { HttpRequest, HttpResponse } from '../../../protocol/http.ts';
import { LONGEST_TIMER_MS } from '../../../protocol/scalars.ts';
import { numberText } from '../../../text/amounts.ts';
import { headOf } from '../../../text/cut.ts';
import type { Connection } from '../../rpc/connection.ts';
import { Budget, divided } from '../../limits/budget.ts';
import { internal, invalidParams, invalidRequest } from '../../rpc/rpc-error.ts';
import type { Methods, Peer, PeerAudit } from '../../sessions/peer.ts';
import { framingFault } from './framing.ts';
import { exchange, type Outgoing } from './http-exchange.ts';

export interface OutboundLimits {
  /** Maximum size of a response that is returned whole. */
  readonly httpBodyBytes: number;
  readonly httpDeltaBytes: number;
  /** Maximum number of requests in progress on one connection. */
  readonly httpRequests: number;
  /** Maximum number of requests in progress on all connections. */
  readonly httpRequestsInAll: number;
  /** Maximum total size of the bodies of all requests in progress, and of their responses that are returned whole. */
  readonly httpBytesInAll: number;
  readonly socketHighWaterBytes: number;
}

export interface OutboundParts {
  /** True when outbound requests are refused, because the gateway was started with a sandbox that has no network. */
  readonly isForbidden: boolean;
  readonly descriptors: Budget;
  /**
   * Decides about a redirect to another origin as about a separate request: rejects to refuse it, and resolves once it
   * is allowed; null when it is allowed at once.
   */
  readonly decide: (peer: Peer, params: HttpRequest, signal: AbortSignal) => Promise<void> | null;
  readonly audit: Pick<PeerAudit, 'called'>;
}

/** Maximum number of descriptors of one request: Node may try a second address in parallel. */
const DESCRIPTORS = 2;

/**
 * Handler of http/request. Requests are sent from the gateway's machine on behalf of the client, without the
 * gateway's tokens, cookies or proxies.
 */
export function outboundMethods(
  limits: OutboundLimits,
  { isForbidden, descriptors, decide, audit }: OutboundParts,
): Pick<Methods, 'http/request'> {
  const requests = new Budget('HTTP requests', divided(limits.httpRequestsInAll));
  const bytes = new Budget('bytes of HTTP bodies', divided(limits.httpBytesInAll));
  const underWay = new WeakMap<Peer, Map<string, number>>();

  return {
    'http/request': async (params, peer) => {
      if (isForbidden)
        throw invalidRequest(
          'http/request: the sandbox that this gateway was started with allows no network',
        );
      const outgoing = checked(params);
      // No callback below may use `params`: its body would stay in memory while a response is streamed.
      const { requestId, streamResponse } = params;
      const active = underWay.get(peer) ?? new Map<string, number>();
      underWay.set(peer, active);
      if (streamResponse && active.has(requestId)) {
        throw invalidParams(`http/request: requestId ${JSON.stringify(requestId)} is in use; choose another`);
      }
      const count = [...active.values()].reduce((sum, each) => sum + each, 0);
      if (count >= limits.httpRequests)
        throw internal(
          `${limits.httpRequests} requests of this connection are in progress, which is the limit; wait until one has ended`,
        );
      const { identity } = peer;
      const bodyBytes = outgoing.body?.length ?? 0;
      const why =
        requests.whyNot(identity) ??
        descriptors.whyNot(identity, DESCRIPTORS) ??
        bytes.whyNot(identity, bodyBytes);
      if (why !== null) throw internal(`http/request: ${why}`);
      const taken = [
        requests.take(identity),
        descriptors.take(identity, DESCRIPTORS),
        bytes.take(identity, bodyBytes),
      ];
      active.set(requestId, (active.get(requestId) ?? 0) + 1);
      const done = (): void => {
        for (const giveBack of taken) giveBack();
        const left = (active.get(requestId) ?? 1) - 1;
        if (left > 0) active.set(requestId, left);
        else active.delete(requestId);
      };
      const more = (count: number): void => {
        const why = bytes.whyNot(identity, count);
        if (why !== null) throw new Error(why);
        taken.push(bytes.take(identity, count));
      };
      const { signal, clear } = ending(peer.connection, params.timeoutMs ?? null);
      const finish = (): void => {
        clear();
        done();
      };
      try {
        const judge = async (next: Outgoing): Promise<void> => {
          const redirect = asRequest(next, requestId);
          await decide(peer, redirect, signal);
          signal.throwIfAborted();
          audit.called(peer, 'http/request', redirect, null);
        };
        const response = await exchange(outgoing, signal, judge).catch((error: Error) => {
          throw internal(`http/request failed: ${reason(error, signal)}`);
        });
        if (streamResponse) {
          // The reply is sent first; the parts follow in later turns.
          setImmediate(
            () => void stream(response, requestId, peer.connection, limits, signal).finally(finish),
          );
          return { ...head(response), bodyBase64: '' };
        }
        const body = await whole(response, { limit: limits.httpBodyBytes, signal, more });
        finish();
        return { ...head(response), bodyBase64: body.toString('base64') };
      } catch (error) {
        finish();
        throw error;
      }
    },
  };
}

function checked(params: HttpRequest): Outgoing {
  const wrong = (what: string): Error => invalidParams(`http/request: params.${what}`);
  let url: URL;
  try {
    url = new URL(params.url);
  } catch {
    throw wrong(`url: ${JSON.stringify(headOf(params.url, 200))} is not an absolute URL`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong(`url: the scheme must be http or https, not ${url.protocol.slice(0, -1)}`);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(params.method)) throw wrong('method: must be an HTTP method');
  for (const [i, { name, value }] of params.headers.entries()) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw wrong(`headers.${i}: ${(error as Error).message}`);
    }
  }
  const outgoing: Outgoing = {
    // Node sends every method in upper case, so the checks must compare that form.
    method: params.method.toUpperCase(),
    url,
    headers: params.headers.map(({ name, value }) => [name, value]),
    body: typeof params.bodyBase64 === 'string' ? Buffer.from(params.bodyBase64, 'base64') : null,
    followsRedirects: params.redirectPolicy !== 'stop',
  };
  const fault = framingFault(outgoing);
  if (fault !== null) throw wrong(fault);
  return outgoing;
}

/** Returns the params that a client would send for this request. */
const asRequest = ({ method, url, headers, body }: Outgoing, requestId: string): HttpRequest => ({
  requestId,
  method,
  url: url.href,
  headers: headers.map(([name, value]) => ({ name, value })),
  bodyBase64: body && body.toString('base64'),
});

/** Returns a signal that aborts when the connection ends or the timeout has passed, until `clear` is called. */
function ending(
  connection: Connection,
  timeoutMs: number | null,
): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('the connection was closed'));
  const timer =
    timeoutMs === null
      ? null
      : setTimeout(
          () => controller.abort(new Error(`no complete response within ${timeoutMs} ms`)),
          Math.min(timeoutMs, LONGEST_TIMER_MS),
        );
  if (connection.isEnding) abort();
  const stopEnding = connection.onEnding(abort);
  return {
    signal: controller.signal,
    clear: () => {
      if (timer) clearTimeout(timer);
      stopEnding();
    },
  };
}

const reason = (error: Error, signal: AbortSignal): string =>
  signal.aborted ? (signal.reason as Error).message : error.message;

function head(response: IncomingMessage): Pick<HttpResponse, 'status' | 'headers'> {
  const { rawHeaders, statusCode } = response;
  const headers = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push({ name: (rawHeaders[i] ?? '').toLowerCase(), value: rawHeaders[i + 1] ?? '' });
  }
  return { status: statusCode ?? 0, headers };
}

interface WholeOptions {
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called with the size of each part before the part is retained; throws when the budget has no room for it. */
  readonly more: (bytes: number) => void;
}

async function whole(response: IncomingMessage, { limit, signal, more }: WholeOptions): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > limit)
        throw new Error(
          `it has more than ${numberText(limit)} bytes; set streamResponse to receive it in parts`,
        );
      more(part.length);
      parts.push(part);
    }
  } catch (error) {
    response.destroy();
    throw internal(`the response body could not be read: ${reason(error as Error, signal)}`);
  }
  return Buffer.concat(parts, size);
}

async function stream(
  response: IncomingMessage,
  requestId: string,
  connection: Connection,
  limits: OutboundLimits,
  signal: AbortSignal,
): Promise<void> {
  let seq = 0;
  const sendPart = (bytes: Buffer, done: boolean, error: string | null): void => {
    seq += 1;
    const deltaBase64 = bytes.toString('base64');
    connection.notify('http/request/bodyDelta', { requestId, seq, deltaBase64, done, error });
  };
  let error: string | null = null;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      for (let at = 0; at < part.length; at += limits.httpDeltaBytes) {
        await connection.taken(limits.socketHighWaterBytes);
        sendPart(part.subarray(at, at + limits.httpDeltaBytes), false, null);
      }
    }
  } catch (cause) {
    response.destroy();
    error = reason(cause as Error, signal);
  }
  sendPart(Buffer.alloc(0), true, error);
}
