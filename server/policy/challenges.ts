// Admits clients that prove a credential without sending it; the gateway proves first that it knows the
// credential.
import {
  createHash,
  createHmac,
  createPublicKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import {
  clientStatement,
  greetingOf,
  NEXT_PROOF,
  statement,
  type ChallengeResult,
  type Handshake,
} from '../../protocol/proof.ts';
import { deadlineIn, isOver, type Deadline } from './deadline.ts';
import type { Verified } from './identity.ts';
import { isGuestRecord, type TokenRecord, type GuestRecord } from './token-records.ts';
import type { Tokens } from './tokens.ts';
import { UsedNonces } from './used-nonces.ts';

/** Maximum number of proofs of one credential within the lifetime of a nonce; it limits the memory for used nonces. */
const MOST_PROOFS = 10_000;

/** Lifetime of a nonce: a client answers immediately, but a network may be slow. */
const NONCE_MS = 20_000;

/** Lengths of the parts of a nonce: its expiry on both clocks with a random number, and the seal. */
const BODY_BYTES = 24;
const SEAL_BYTES = 32;

const PART = /^[\w-]{16,600}$/;
const CLIENT_NONCE = /^[\w-]{22,64}$/;

export interface ProofPlace {
  readonly port: number;
  /** Use that the proof covers: `SOCKET_USE`, or the result of `requestUse`. */
  readonly use: string;
}

export class Challenges {
  readonly #tokens: Tokens;
  /** New key at each start, so that nonces of an earlier gateway are invalid. */
  readonly #key = randomBytes(32);
  readonly #used: UsedNonces;

  constructor(tokens: Tokens, mostProofs = MOST_PROOFS) {
    this.#tokens = tokens;
    this.#used = new UsedNonces(mostProofs);
  }

  /** Returns a challenge without storing it; null for an unknown id or a malformed client nonce. */
  challenge(id: string, clientNonce: string): ChallengeResult | null {
    const record = CLIENT_NONCE.test(clientNonce) ? this.#tokens.findById(id) : null;
    if (!record) return null;
    const body = Buffer.alloc(BODY_BYTES);
    const { wallMs, steadyMs } = deadlineIn(NONCE_MS);
    body.writeDoubleBE(wallMs);
    body.writeDoubleBE(steadyMs, 8);
    randomBytes(8).copy(body, 16);
    const nonce = Buffer.concat([body, this.#seal(body, id, clientNonce)]).toString('base64url');
    return { nonce, proof: mac(record, statement('gateway', { id, clientNonce, gatewayNonce: nonce })) };
  }

  /**
   * Adds a challenge for the next proof to the reply if the request had a proof (`verified`) and a client nonce in its
   * headers.
   */
  bringNext(
    verified: string | null,
    { [NEXT_PROOF.nonce]: clientNonce }: IncomingHttpHeaders,
    answer: Pick<ServerResponse, 'setHeader'>,
  ): void {
    const id = verified === null ? undefined : parse(verified)?.handshake.id;
    if (id === undefined || typeof clientNonce !== 'string') return;
    const next = this.challenge(id, clientNonce);
    if (next) answer.setHeader(NEXT_PROOF.challenge, `${next.nonce}.${next.proof}`);
  }

  /**
   * Returns the identity that a client on this port has proved for this use. Null when the proof is wrong, expired,
   * already used, for another use, or of an unknown credential; `tooMany` beyond the limit on proofs of one credential.
   */
  verify(text: string, { port, use }: ProofPlace): Verified {
    const parsed = parse(text);
    if (!parsed) return null;
    const { handshake, answer } = parsed;
    const deadline = this.#deadlineOf(handshake);
    const record = deadline && !isOver(deadline) ? this.#tokens.findById(handshake.id) : null;
    if (!deadline || !record || this.#used.has(handshake.gatewayNonce)) return null;
    if (!isRight(record, clientStatement(handshake, use), answer, port)) return null;
    const used = { owner: handshake.id, endsAtMs: deadline.steadyMs };
    if (!this.#used.add(handshake.gatewayNonce, used)) return 'tooMany';
    return this.#tokens.authenticated(record);
  }

  /**
   * Returns the first message on a socket that was opened with this proof; empty when the credential no
   * longer exists.
   */
  greeting(text: string): string {
    const handshake = parse(text)?.handshake;
    const record = handshake && this.#tokens.findById(handshake.id);
    return record ? greetingOf(mac(record, statement('open', handshake))) : '';
  }

  #seal(body: Buffer, id: string, clientNonce: string): Buffer {
    return createHmac('sha256', this.#key).update(body).update(`\n${id}\n${clientNonce}`).digest();
  }

  /** Returns when a nonce expires; null for a nonce that was not created here for this handshake. */
  #deadlineOf({ id, clientNonce, gatewayNonce }: Handshake): Deadline | null {
    const bytes = Buffer.from(gatewayNonce, 'base64url');
    const [body, seal] = [bytes.subarray(0, BODY_BYTES), bytes.subarray(BODY_BYTES)];
    const isOurs =
      bytes.length === BODY_BYTES + SEAL_BYTES &&
      // Only the canonical encoding is valid, so that a used nonce cannot be sent again in another encoding.
      bytes.toString('base64url') === gatewayNonce &&
      timingSafeEqual(seal, this.#seal(body, id, clientNonce));
    return isOurs ? { wallMs: body.readDoubleBE(), steadyMs: body.readDoubleBE(8) } : null;
  }
}

function parse(text: string): { readonly handshake: Handshake; readonly answer: string } | null {
  const [id = '', clientNonce = '', gatewayNonce = '', answer = '', ...more] = text.split('.');
  const isWhole =
    more.length === 0 && [id, clientNonce, gatewayNonce, answer].every((each) => PART.test(each));
  return isWhole ? { handshake: { id, clientNonce, gatewayNonce }, answer } : null;
}

const keyOf = ({ sha256 }: TokenRecord | GuestRecord): Buffer => Buffer.from(sha256, 'hex');

const mac = (record: TokenRecord | GuestRecord, text: string): string =>
  createHmac('sha256', keyOf(record)).update(text).digest('base64url');

function isRight(record: TokenRecord | GuestRecord, text: string, answer: string, port: number): boolean {
  const bytes = Buffer.from(answer, 'base64url');
  if (!isGuestRecord(record) && record.page) {
    // A page uses one port, so a proof at another port was forwarded by another program.
    if (record.page.port !== port) return false;
    const key = createPublicKey({
      key: Buffer.from(record.page.publicKey, 'base64url'),
      format: 'der',
      type: 'spki',
    });
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  }
  // The client masks its token with a value that only the token's hash and this handshake can produce.
  const cover = Buffer.from(hkdfSync('sha256', keyOf(record), '', text, bytes.length));
  const token = Buffer.from(bytes.map((byte, at) => byte ^ (cover[at] ?? 0)));
  return timingSafeEqual(createHash('sha256').update(token).digest(), keyOf(record));
}
