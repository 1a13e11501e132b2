// Admission of requests and upgrades: checks Host, Origin, and a proof for everything that is not public.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SUBPROTOCOL } from '../../protocol/console-constants.ts';
import { BODY_HASH, PROOF, requestUse, SOCKET_USE } from '../../protocol/proof.ts';
import type { Identity, Verified } from './identity.ts';
import { ownOrigins, type OwnNames } from './own-names.ts';

export interface Visit {
  readonly method: string;
  /** Target in the request line; refused unless it is a path, with or without a query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names of headers that occur more than once, in lower case. */
  readonly repeated: readonly string[];
  readonly localAddress: string;
  readonly isUpgrade: boolean;
}

export interface Admitted {
  readonly admitted: true;
  readonly identity: Identity;
  readonly subprotocol: string | null;
  /** Proof that was sent instead of a token; null for a token. The gateway answers a proof with its own. */
  readonly proof: string | null;
}
export type Admission = Admitted | Refusal;
export interface Refusal {
  readonly admitted: false;
  readonly status: 400 | 401 | 403 | 421 | 429;
  readonly reason: string;
}

const refuse = (status: Refusal['status'], reason: string): Refusal => ({ admitted: false, status, reason });

/**
 * Checks every request, with or without proof; returns null when it may continue. The Host may have any port,
 * because tunnels and proxies have their own. An Origin must have exactly the Host's name and port, so a page with
 * another name or port is refused. A declared proxy may send its own name or ours as the Host, and its pages
 * have its Origin.
 */
export function checkOrigin(visit: Visit, names: OwnNames): Refusal | null {
  const { method, headers, isUpgrade } = visit;
  const ambiguity = ambiguityOf(visit);
  if (ambiguity !== null) return refuse(400, ambiguity);
  const origins = ownOrigins(headers.host?.toLowerCase() ?? '', visit.localAddress, names);
  if (!origins) return refuse(421, 'the Host header does not name this gateway');
  if (headers.origin !== undefined) {
    if (!origins.includes(headers.origin.toLowerCase()))
      return refuse(403, 'the Origin header does not name this gateway');
  } else if (!isRead(method) && !isUpgrade && !bringsProof(headers)) {
    return refuse(403, 'a request without an Origin needs a bearer token or a proof');
  }
  return isForeignEmbedding(visit) ? refuse(403, 'the request comes from a page of another site') : null;
}

/**
 * Headers that determine the sender and the target of a request, the upgrade, and the end of a message; if one is
 * repeated, a proxy may use the other value.
 */
const DECISIVE =
  /^(?:host|authorization|origin|upgrade|content-length|transfer-encoding|sec-websocket-.*|sec-fetch-.*)$/;

/**
 * Returns the reason to refuse a request that two parsers could interpret differently; null for any other
 * request.
 */
function ambiguityOf(visit: Visit): string | null {
  const { url, headers, repeated, isUpgrade } = visit;
  // An absolute target could name another host than the Host header.
  if (!url.startsWith('/')) return 'the request target is not a path';
  const twice = repeated.find((name) => DECISIVE.test(name));
  if (twice !== undefined) return `the request has more than one ${twice} header`;
  const coding = headers['transfer-encoding'];
  if (isUpgrade && (coding !== undefined || Number(headers['content-length'] ?? 0) !== 0))
    return 'an upgrade must not have a body';
  // A proxy that does not support another coding could parse the body as the next request.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'the only transfer coding allowed is chunked';
  const names = [...queryOf(url).keys()];
  // The reason does not quote the name, which may be a token in the wrong place.
  if (new Set(names).size < names.length) return 'a name appears more than once in the query';
  const texts = new Set(proofsOf(visit).map(({ text }) => text));
  return texts.size > 1 ? 'the request has more than one credential' : null;
}

export const queryOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Returns true when a page of another origin loads, embeds or posts something, as browsers report it. Such a page may
 * only link here. An upgrade is checked by its Origin, which every browser sends.
 */
function isForeignEmbedding({ method, headers, isUpgrade }: Visit): boolean {
  const site = headers['sec-fetch-site'];
  if (isUpgrade || site === undefined || site === 'same-origin' || site === 'none') return false;
  const isVisit = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !(isVisit && method === 'GET');
}

/** A token, or a proof of a credential, and how it was sent. */
export interface Proof {
  readonly text: string;
  readonly way: 'bearer' | 'query' | 'subprotocol' | 'proof';
}

/** Returns the use that a proof must cover to be valid for this request. */
export const proofUse = ({
  method,
  url,
  headers,
  isUpgrade,
}: Pick<Visit, 'method' | 'url' | 'headers' | 'isUpgrade'>): string =>
  isUpgrade ? SOCKET_USE : requestUse(method, url, headers[BODY_HASH]?.toString());

/** Returns true when the request's proof covers this body; a token covers any body. */
export const isProvedBody = (headers: IncomingHttpHeaders, body: Buffer): boolean =>
  schemeOf(headers, PROOF.scheme) === null ||
  headers[BODY_HASH] === createHash('sha256').update(body).digest('base64url');

/** Returns the client's identity for an upgrade or a request that needs proof, or the refusal. */
export function admit(visit: Visit, verify: (proof: Proof) => Verified, names: OwnNames): Admission {
  const refusal = checkOrigin(visit, names);
  if (refusal) return refusal;
  const [proof] = proofsOf(visit);
  // Codex sends a bearer token when it upgrades, so a refused upgrade has the words of Codex's own exec-server.
  const credential = visit.isUpgrade ? 'websocket bearer token' : 'bearer token or proof';
  if (!proof || proof.text === '') return refuse(401, `missing ${credential}`);
  // An Origin shows that the request is a page's, which can send its token as a subprotocol; a URL may be logged.
  if (visit.headers.origin !== undefined && proof.way === 'query') {
    return refuse(403, 'a page must send its token as a subprotocol');
  }
  const identity = verify(proof);
  if (!identity) return refuse(401, `invalid ${credential}`);
  if (identity === 'tooMany')
    return refuse(429, 'too many proofs of this credential; try again in a few seconds');
  return {
    admitted: true,
    identity,
    subprotocol: offersConsole(visit) ? SUBPROTOCOL.console : null,
    proof: proof.way === 'proof' ? proof.text : null,
  };
}

/** Returns all tokens and proofs of a request, even empty ones; `admit` uses the first. */
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

/** Returns true for a token or proof in the Authorization header, which pages of other origins cannot set. */
const bringsProof = (headers: IncomingHttpHeaders): boolean =>
  bearerOf(headers) !== null || schemeOf(headers, PROOF.scheme) !== null;

/**
 * Returns the credential that the Authorization header has for this scheme, empty when malformed. Null for
 * another scheme, which may have a proxy's password.
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

/** Returns a URL for the log without its query, because a token parameter can be spelled in many ways. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#;].*$/s, '?…');
}
