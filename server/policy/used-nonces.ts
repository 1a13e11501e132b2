// Stores the nonces of used proofs until they expire, so that each proof is valid once. Each credential has a separate
// limit; beyond it, its proofs are refused until nonces expire, because none is removed earlier.
import { ownText } from '../../text/own-copy.ts';

interface Used {
  readonly owner: string;
  /** Time from which the nonce is never valid again, on the clock of performance.now, which nobody can set back. */
  readonly endsAtMs: number;
}

export class UsedNonces {
  readonly #mostPerOwner: number;
  readonly #used = new Map<string, Used>();
  readonly #counts = new Map<string, number>();

  constructor(mostPerOwner: number) {
    this.#mostPerOwner = mostPerOwner;
  }

  has(nonce: string): boolean {
    return this.#used.has(nonce);
  }

  /** Stores a nonce until it expires; returns false when its credential (`owner`) is at the limit. */
  add(nonce: string, { owner, endsAtMs }: Used): boolean {
    this.#removeExpired();
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#mostPerOwner) return false;
    const name = ownText(owner);
    this.#used.set(ownText(nonce), { owner: name, endsAtMs });
    this.#counts.set(name, count + 1);
    return true;
  }

  /**
   * Removes expired nonces up to the first valid one; nonces are in order of use, so an expired one behind it
   * remains a little longer.
   */
  #removeExpired(): void {
    for (const [nonce, { owner, endsAtMs }] of this.#used) {
      if (endsAtMs > performance.now()) return;
      this.#used.delete(nonce);
      const count = (this.#counts.get(owner) ?? 0) - 1;
      if (count > 0) this.#counts.set(owner, count);
      else this.#counts.delete(owner);
    }
  }
}
