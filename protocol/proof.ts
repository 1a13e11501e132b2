// Names and signed statements with which a client and a gateway prove that they know a credential, without
// sending it in plain text.

/**
 * Credential of a request: the header `Authorization: Proof TEXT`; for a page's socket, the subprotocol
 * `exec-console.proof.TEXT`.
 */
export const PROOF = {
  scheme: 'Proof',
  subprotocol: 'exec-console.proof.',
} as const;

/**
 * Headers with which a client gets the challenge for its next request, instead of requesting it separately.
 */
export const NEXT_PROOF = {
  /** Header of a request: the client's nonce for the challenge that comes with the response. */
  nonce: 'exec-console-next-nonce',
  /** Header of the response: nonce and proof of the challenge, separated by a dot. */
  challenge: 'exec-console-next-challenge',
} as const;

/** Returns the first message on a socket opened with a proof: a notification, since the socket carries JSON-RPC. */
export const greetingOf = (proof: string): string =>
  JSON.stringify({ method: 'exec-console/gateway', params: { proof } });

/** A handshake; all members are public. */
export interface Handshake {
  /** Id of the credential: SHA-256 of the shared key, as base64url. */
  readonly id: string;
  /** Nonce from the client, used for one handshake. */
  readonly clientNonce: string;
  /** Nonce from the gateway, valid once and for a short time. */
  readonly gatewayNonce: string;
}

/** Proofs of the gateway: `gateway` is sent first, with the challenge; `open` follows on the open socket. */
type Side = 'gateway' | 'open';

/**
 * Returns the text that the gateway signs: different for each side and handshake, so that no proof can be reused
 * for another.
 */
export const statement = (side: Side, { id, clientNonce, gatewayNonce }: Handshake): string =>
  ['exec-console', side, id, clientNonce, gatewayNonce].join('\n');

/** Returns the text that the client signs, for one use only: a socket, or one request. */
export const clientStatement = ({ id, clientNonce, gatewayNonce }: Handshake, use: string): string =>
  ['exec-console', 'client', id, clientNonce, gatewayNonce, use].join('\n');

/** Use of a proof that opens a socket. */
export const SOCKET_USE = 'socket';

/** Header of a request whose proof covers its body: SHA-256 of the body as base64url. */
export const BODY_HASH = 'exec-console-body-hash';

/**
 * Returns the use of a proof for one request. `target`: the request's path and query as the gateway receives them,
 * without a proxy's path prefix. Default for `bodyHash`: no body.
 */
export const requestUse = (method: string, target: string, bodyHash = ''): string =>
  `${method} ${target}${bodyHash === '' ? '' : `\n${bodyHash}`}`;

/** Returns the client's proof as sent: the credential's id, both nonces and the answer, each as base64url. */
export const proofText = ({ id, clientNonce, gatewayNonce }: Handshake, answer: string): string =>
  [id, clientNonce, gatewayNonce, answer].join('.');

export interface ChallengeResult {
  readonly nonce: string;
  /** HMAC-SHA256 of the gateway's statement under the shared key, as base64url. */
  readonly proof: string;
}
