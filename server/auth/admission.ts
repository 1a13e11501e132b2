// Who may come in, decided before anything else: Host, Origin, and for all that is not public a proof.
import type { IncomingHttpHeaders } from 'node:http';
import { SUBPROTOCOL } from '../protocol/console-constants.ts';
import type { Identity } from './identity.ts';
import type { PublicUrl } from './public-url.ts';

export interface Visit {
  readonly method: string;
  /** As in the request line: path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly isUpgrade: boolean;
}

export type Admission =
  { readonly admitted: true; readonly identity: Identity; readonly subprotocol: string | null } | Refusal;
export interface Refusal {
  readonly admitted: false;
  readonly status: 401 | 403 | 421;
  readonly reason: string;
}

const refuse = (status: Refusal['status'], reason: string): Refusal => ({ admitted: false, status, reason });

/** Names under which a loopback address is reached. A page that rebinds its own name to us says that name. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * What holds for every visit, with or without proof; null when it may go on. Any port will do in the Host, since
 * tunnels and proxies have their own; but an Origin must then be exactly that host: no other page, and no page of
 * another port, can say so. A declared proxy may say its own name as the Host, or ours, and its pages come from it.
 */
export function checkOrigin(
  { method, headers, isUpgrade }: Visit,
  publicUrl: PublicUrl | null,
): Refusal | null {
  const host = headers.host?.toLowerCase() ?? '';
  const isLoopback = LOOPBACK.test(host);
  if (!isLoopback && !publicUrl?.authorities.includes(host))
    return refuse(421, 'the Host is not this gateway');
  if (headers.origin !== undefined) {
    const origin = headers.origin.toLowerCase();
    const isOwn = origin === publicUrl?.origin || (isLoopback && origin === `http://${host}`);
    return isOwn ? null : refuse(403, 'the Origin is not this gateway');
  }
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead || isUpgrade || headers.authorization !== undefined
    ? null
    : refuse(403, 'a request without an Origin needs a bearer token');
}

/** A proof that was brought, and by which way. */
interface Proof {
  readonly token: string;
  readonly way: 'bearer' | 'query' | 'subprotocol';
}

/** Decides over an upgrade or a request that needs proof. */
export function admit(
  visit: Visit,
  verify: (token: string) => Identity | null,
  publicUrl: PublicUrl | null,
): Admission {
  const refusal = checkOrigin(visit, publicUrl);
  if (refusal) return refusal;
  const proof = findProof(visit);
  if (!proof) return refuse(401, 'missing websocket bearer token');
  // A page's socket cannot send headers; what comes with an Origin and a query is not our page.
  if (visit.headers.origin !== undefined && proof.way === 'query') {
    return refuse(403, 'a page must bring its token as a subprotocol');
  }
  const identity = verify(proof.token);
  if (!identity) return refuse(401, 'invalid websocket bearer token');
  return { admitted: true, identity, subprotocol: offersConsole(visit) ? SUBPROTOCOL.console : null };
}

function findProof({ url, headers }: Visit): Proof | null {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    return token === undefined ? null : { token, way: 'bearer' };
  }
  const offered = protocolsOf(headers).find((each) => each.startsWith(SUBPROTOCOL.tokenPrefix));
  if (offered !== undefined)
    return { token: offered.slice(SUBPROTOCOL.tokenPrefix.length), way: 'subprotocol' };
  const query = new URLSearchParams(url.split('?')[1] ?? '').get('token');
  return query ? { token: query, way: 'query' } : null;
}

const offersConsole = ({ headers }: Visit): boolean => protocolsOf(headers).includes(SUBPROTOCOL.console);

const protocolsOf = (headers: IncomingHttpHeaders): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());

/** A URL that may be logged. */
export function withoutToken(url: string): string {
  return url.replace(/([?&]token=)[^&#]*/gi, '$1…');
}
