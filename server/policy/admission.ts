// Admission of visits, decided before anything else: Host, Origin, and a proof for everything that is not public.
import type { IncomingHttpHeaders } from 'node:http';
import { SUBPROTOCOL } from '../../protocol/console-constants.ts';
import { PROOF } from '../../protocol/proof.ts';
import type { Identity } from './identity.ts';
import { ownOrigins, type OwnNames } from './own-names.ts';

export interface Visit {
  readonly method: string;
  /** Target of the request line: path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names of headers that it has more than once, in lower case. */
  readonly repeated: readonly string[];
  /** Local address at which the visit arrived. */
  readonly localAddress: string;
  readonly isUpgrade: boolean;
}

export type Admission =
  | {
      readonly admitted: true;
      readonly identity: Identity;
      readonly subprotocol: string | null;
      /** The proof, when it was sent in place of a token; the gateway's own proof follows it. */
      readonly proof: string | null;
    }
  | Refusal;
export interface Refusal {
  readonly admitted: false;
  readonly status: 400 | 401 | 403 | 421;
  readonly reason: string;
}

const refuse = (status: Refusal['status'], reason: string): Refusal => ({ admitted: false, status, reason });

/**
 * Checks every visit, with or without proof; returns null when it may continue. The Host may have any port, since
 * tunnels and proxies have their own; but an Origin must then be exactly that host, which no other page, and no page on
 * another port, can send. A declared proxy may send its own name as the Host, or ours, and its pages come from it.
 */
export function checkOrigin(visit: Visit, names: OwnNames): Refusal | null {
  const { method, headers, isUpgrade } = visit;
  const ambiguity = ambiguityOf(visit);
  if (ambiguity !== null) return refuse(400, ambiguity);
  const origins = ownOrigins(headers.host?.toLowerCase() ?? '', visit.localAddress, names);
  if (!origins) return refuse(421, 'the Host is not this gateway');
  if (headers.origin !== undefined) {
    if (!origins.includes(headers.origin.toLowerCase())) return refuse(403, 'the Origin is not this gateway');
  } else if (!isRead(method) && !isUpgrade && !bringsProof(headers)) {
    return refuse(403, 'a request without an Origin needs a bearer token');
  }
  return isForeignEmbedding(visit) ? refuse(403, 'a page of another site has asked for this') : null;
}

/** Headers that decide who has requested what, and where a message ends; given two, a proxy may use the other one. */
const DECISIVE =
  /^(?:host|authorization|origin|upgrade|content-length|transfer-encoding|sec-websocket-.*|sec-fetch-.*)$/;

/** Returns the part of a request that two readers could interpret differently; null when there is none. */
function ambiguityOf(visit: Visit): string | null {
  const { url, headers, repeated, isUpgrade } = visit;
  // An absolute target would name a host of its own.
  if (!url.startsWith('/')) return 'the request target is not a path';
  const twice = repeated.find((name) => DECISIVE.test(name));
  if (twice !== undefined) return `more than one ${twice} header`;
  if (
    isUpgrade &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0)
  )
    return 'an upgrade with a body';
  const names = [...queryOf(url).keys()];
  // The reason does not quote the name: it may be a token in the wrong place.
  if (new Set(names).size < names.length) return 'a name in the query is there more than once';
  const texts = new Set(proofsOf(visit).map(({ text }) => text));
  return texts.size > 1 ? 'more than one credential' : null;
}

export const queryOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * True for a load, embedding or post by another site's page, as browsers report it; such a page may only link here. An
 * upgrade is checked by its Origin, which every browser sends with it.
 */
function isForeignEmbedding({ method, headers, isUpgrade }: Visit): boolean {
  const site = headers['sec-fetch-site'];
  if (isUpgrade || site === undefined || site === 'same-origin' || site === 'none') return false;
  const isVisit = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !(isVisit && method === 'GET');
}

/** A token, or the proof of one that was not sent, and the way in which it was sent. */
export interface Proof {
  readonly text: string;
  readonly way: 'bearer' | 'query' | 'subprotocol' | 'proof';
}

/** Decides on an upgrade or a request that needs proof. */
export function admit(visit: Visit, verify: (proof: Proof) => Identity | null, names: OwnNames): Admission {
  const refusal = checkOrigin(visit, names);
  if (refusal) return refusal;
  const [proof] = proofsOf(visit);
  if (!proof || proof.text === '') return refuse(401, 'missing websocket bearer token');
  // A page's socket cannot send headers; a token in the query with an Origin is not from our page.
  if (visit.headers.origin !== undefined && proof.way === 'query') {
    return refuse(403, 'a page must bring its token as a subprotocol');
  }
  const identity = verify(proof);
  if (!identity) return refuse(401, 'invalid websocket bearer token');
  return {
    admitted: true,
    identity,
    subprotocol: offersConsole(visit) ? SUBPROTOCOL.console : null,
    proof: proof.way === 'proof' ? proof.text : null,
  };
}

/** Returns all proofs of a visit, the one that counts first; empty ones, too. */
function proofsOf({ url, headers }: Visit): Proof[] {
  const bearer = bearerOf(headers);
  const scheme = schemeOf(headers, PROOF.scheme);
  const query = queryOf(url).get('token');
  const found = (way: Proof['way'], texts: readonly (string | null)[]): Proof[] =>
    texts.flatMap((text) => (text === null ? [] : { text, way }));
  return [
    ...found('bearer', [bearer]),
    ...found('proof', [scheme, ...offeredOf(headers, PROOF.subprotocol)]),
    ...found('subprotocol', offeredOf(headers, SUBPROTOCOL.tokenPrefix)),
    ...found('query', [query]),
  ];
}

const bearerOf = (headers: IncomingHttpHeaders): string | null => schemeOf(headers, 'Bearer');

/** True for proofs that no page of another origin can make a browser send. */
const bringsProof = (headers: IncomingHttpHeaders): boolean =>
  bearerOf(headers) !== null || schemeOf(headers, PROOF.scheme) !== null;

/**
 * Returns the credential of a scheme, empty when malformed; null for another scheme, which is for a proxy with its own
 * password.
 */
function schemeOf({ authorization = '' }: IncomingHttpHeaders, scheme: string): string | null {
  const [, named = '', rest = ''] = /^(\w+)\b(.*)$/s.exec(authorization) ?? [];
  if (named.toLowerCase() !== scheme.toLowerCase()) return null;
  return /^ +(\S+) *$/.exec(rest)?.[1] ?? '';
}

const offeredOf = (headers: IncomingHttpHeaders, prefix: string): string[] =>
  protocolsOf(headers)
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length));

const offersConsole = ({ headers }: Visit): boolean => protocolsOf(headers).includes(SUBPROTOCOL.console);

const protocolsOf = (headers: IncomingHttpHeaders): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());

/** Returns a URL that may be logged: a token's name can be spelled in many ways, so nothing after the path is kept. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#;].*$/s, '?…');
}
