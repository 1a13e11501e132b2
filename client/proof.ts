// Proves a credential to a gateway without sending the credential in plain text, after the gateway has proved
// that it also knows the credential.
import {
  clientStatement,
  proofText,
  statement,
  type ChallengeResult,
  type Handshake,
} from '../protocol/proof.ts';

/** Part of WebCrypto used here, available in browsers and in Node. */
interface Subtle {
  digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer>;
  importKey(
    format: 'raw',
    key: Uint8Array,
    algorithm: 'HKDF' | { readonly name: 'HMAC'; readonly hash: 'SHA-256' },
    isExtractable: false,
    uses: readonly string[],
  ): Promise<object>;
  verify(algorithm: 'HMAC', key: object, signature: Uint8Array, data: Uint8Array): Promise<boolean>;
  deriveBits(algorithm: object, key: object, bits: number): Promise<ArrayBuffer>;
}

declare const crypto: { readonly subtle?: Subtle; getRandomValues(bytes: Uint8Array): Uint8Array };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const btoa: (text: string) => string;
declare const atob: (text: string) => string;

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Decodes base64url; throws when `text` cannot be decoded. */
export const fromBase64url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));

/** A credential that can also verify its gateway. */
export interface Credential {
  readonly id: string;
  /** HMAC-SHA256 key that verifies the gateway's proof. */
  readonly gatewayKey: object;
  /** Returns the proof of possession for a statement, as base64url. */
  answer(statement: string): Promise<string>;
}

function subtle(): Subtle {
  if (crypto.subtle) return crypto.subtle;
  throw new Error('browsers offer cryptography only in a secure context: use https or a loopback address');
}

/** Imports the 32 bytes known to both sides. The key can't be exported. */
export const importGatewayKey = (bytes: Uint8Array): Promise<object> =>
  subtle().importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);

export const idOf = async (gatewayKey: Uint8Array): Promise<string> => toBase64url(await sha256(gatewayKey));

const sha256 = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await subtle().digest('SHA-256', bytes));

/**
 * Returns a token's credential. The gateway stores only the token's SHA-256, so the answer is the token itself,
 * encrypted with a key derived from that hash and the statement.
 */
export async function tokenCredential(token: string): Promise<Credential> {
  const bytes = utf8(token);
  const hash = await sha256(bytes);
  const key = await subtle().importKey('raw', hash, 'HKDF', false, ['deriveBits']);
  return {
    id: await idOf(hash),
    gatewayKey: await importGatewayKey(hash),
    answer: async (text) => {
      const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(text) };
      const cover = new Uint8Array(await subtle().deriveBits(algorithm, key, bytes.length * 8));
      return toBase64url(bytes.map((byte, at) => byte ^ (cover[at] ?? 0)));
    },
  };
}

/** Answer to an HTTP request at the address of a gateway, where an impostor may run instead. */
export interface Answered {
  readonly status: number;
  readonly body: string;
}

export type Outcome =
  | ({ readonly kind: 'proved' } & Proved)
  /** The request for a challenge was refused, for example because the credential is unknown. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The server claims to be the gateway but does not know the credential. */
  | { readonly kind: 'stranger' }
  /**
   * The server answered without a challenge: it is not a gateway of this version, or limits sign-ins (429). Errors
   * thrown by `ask` are not caught.
   */
  | { readonly kind: 'unreachable'; readonly status: number };

/** Reason for the refusal of a token that has expired, was revoked, or belongs to another gateway. */
export const UNKNOWN_CREDENTIAL = 'the credential is unknown to the gateway';

/**
 * Reasons for refusals by status. The text of the answer is never shown: any program may have sent it, and it would
 * reach terminals and agents' models.
 */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'the gateway cannot read the request',
  401: UNKNOWN_CREDENTIAL,
  403: 'the gateway accepts no requests from this origin',
  421: 'the gateway accepts no requests for this host name',
};

/**
 * Requests a challenge and proves the credential. `ask` requests `auth/challenge?…` at the gateway's address;
 * the proof is valid for `use` only. The request reveals nothing useful to an impostor.
 */
export async function prove(
  credential: Credential,
  ask: (path: string) => Promise<Answered>,
  use: string,
): Promise<Outcome> {
  const clientNonce = newNonce();
  const { status, body } = await ask(`auth/challenge?id=${credential.id}&nonce=${clientNonce}`);
  const refusal = REFUSALS[status];
  if (refusal !== undefined) return { kind: 'refused', reason: refusal };
  const challenge = status === 200 ? parseChallenge(body) : null;
  if (!challenge) return { kind: 'unreachable', status };
  const proved = await proofFor(credential, { clientNonce, ...challenge }, use);
  return proved ? { kind: 'proved', ...proved } : { kind: 'stranger' };
}

export const newNonce = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(18)));

interface Proved {
  readonly proof: string;
  readonly handshake: Handshake;
}

/**
 * Resolves with the proof for `use` that answers the challenge for this nonce; with null when the challenge is not
 * from the credential's gateway.
 */
export async function proofFor(
  credential: Credential,
  { clientNonce, nonce, proof }: ChallengeResult & Pick<Handshake, 'clientNonce'>,
  use: string,
): Promise<Proved | null> {
  const { id, gatewayKey } = credential;
  const handshake = { id, clientNonce, gatewayNonce: nonce };
  if (!(await isGateways(gatewayKey, proof, statement('gateway', handshake)))) return null;
  return { proof: proofText(handshake, await credential.answer(clientStatement(handshake, use))), handshake };
}

/** Greeting as built by `greetingOf`, with the proof in base64url. */
const GREETING = /^\{"method":"exec-console\/gateway","params":\{"proof":"([\w-]{43})"\}\}$/;

/** Resolves to true when this first message on a socket comes from the gateway that received the proof. */
export function isGreeting(
  data: unknown,
  { gatewayKey }: Credential,
  handshake: Handshake,
): Promise<boolean> {
  const proof = typeof data === 'string' ? GREETING.exec(data)?.[1] : undefined;
  if (proof === undefined) return Promise.resolve(false);
  return isGateways(gatewayKey, proof, statement('open', handshake));
}

async function isGateways(key: object, proof: string, text: string): Promise<boolean> {
  try {
    return await subtle().verify('HMAC', key, fromBase64url(proof), utf8(text));
  } catch {
    return false;
  }
}

function parseChallenge(body: string): ChallengeResult | null {
  try {
    const { nonce, proof } = JSON.parse(body) as Record<string, unknown>;
    return typeof nonce === 'string' && /^[\w-]{16,100}$/.test(nonce) && typeof proof === 'string'
      ? { nonce, proof }
      : null;
  } catch {
    return null;
  }
}
