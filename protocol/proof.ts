// Names and statements by which a client and a gateway prove to each other that they know a credential, without sending
// it.

/** `Authorization: Proof TEXT`, and the subprotocol of a page's socket: this prefix and the text. */
export const PROOF = {
  scheme: 'Proof',
  subprotocol: 'exec-console.proof.',
} as const;

/** The first message on a socket that a proof has opened: a notification, as all that follows is JSON-RPC. */
export const greetingOf = (proof: string): string =>
  JSON.stringify({ method: 'exec-console/gateway', params: { proof } });

/** One handshake. All of it is public. */
export interface Handshake {
  /** Names the credential: SHA-256 of the key that both sides know, in base64url. */
  readonly id: string;
  /** The client's, made for this handshake. */
  readonly clientNonce: string;
  /** The gateway's, good once and for a short time. */
  readonly gatewayNonce: string;
}

/** `gateway`: the gateway's proof, before the client gives any; `client`: the client's; `open`: the gateway's, on the socket. */
export type Side = 'gateway' | 'client' | 'open';

/** Returns the text to sign: different for each side and handshake, so that no proof serves as another. */
export const statement = (side: Side, { id, clientNonce, gatewayNonce }: Handshake): string =>
  ['exec-console', side, id, clientNonce, gatewayNonce].join('\n');

/** The client's proof as it travels: three names and an answer, each in base64url. */
export const proofText = ({ id, clientNonce, gatewayNonce }: Handshake, answer: string): string =>
  [id, clientNonce, gatewayNonce, answer].join('.');

export interface ChallengeResult {
  readonly nonce: string;
  /** HMAC-SHA256 of the gateway's statement with the key that both sides know, in base64url. */
  readonly proof: string;
}
