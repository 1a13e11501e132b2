// Creates the proof for the next request from the challenge in the last answer, which saves a request for a challenge.
import type { IncomingHttpHeaders } from 'node:http';
import { newNonce, proofFor, type Credential } from '../../client/proof.ts';
import { NEXT_PROOF, PROOF, type ChallengeResult, type Handshake } from '../../protocol/proof.ts';
import type { GatewayAddress } from './gateway-address.ts';

/** Time for which a challenge is used; the gateway accepts it for 20 s. */
const GOOD_MS = 15_000;

/** A gateway, and the credential that is proved to it. */
export interface Way {
  readonly address: GatewayAddress;
  readonly credential: Credential;
}

interface Ready extends Way {
  readonly endsAtMs: number;
  readonly challenge: ChallengeResult & Pick<Handshake, 'clientNonce'>;
}

export class NextProof {
  #ready: Ready | null = null;

  /** Returns the header that requests a challenge, and the function that stores the challenge of an answer. */
  ask(way: Way): {
    readonly headers: Readonly<Record<string, string>>;
    readonly take: (headers: IncomingHttpHeaders) => void;
  } {
    const nonce = newNonce();
    return {
      headers: { [NEXT_PROOF.nonce]: nonce },
      take: ({ [NEXT_PROOF.challenge]: brought }) => {
        const [challenge, proof] = typeof brought === 'string' ? brought.split('.') : [];
        if (challenge === undefined || proof === undefined) return;
        const ready = { clientNonce: nonce, nonce: challenge, proof };
        this.#ready = { ...way, endsAtMs: Date.now() + GOOD_MS, challenge: ready };
      },
    };
  }

  /**
   * Resolves with the value of the `authorization` header for one request, and drops the challenge. Resolves with null
   * without a fresh challenge from this gateway for this credential, or when the gateway's proof is invalid.
   */
  async use({ address, credential }: Way, request: string): Promise<string | null> {
    const ready = this.#ready;
    this.#ready = null;
    const isGood =
      ready?.address.url.href === address.url.href &&
      ready.credential === credential &&
      ready.endsAtMs > Date.now();
    const proved = isGood ? await proofFor(credential, ready.challenge, request).catch(() => null) : null;
    return proved && `${PROOF.scheme} ${proved.proof}`;
  }
}
