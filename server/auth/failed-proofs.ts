// How often a wrong proof gets an answer of its own; a right one is never asked about.

/** Wrong proofs that are answered and logged one by one in a window; the rest is told to wait. */
const ALLOWED = 30;
const WINDOW_MS = 60_000;

/** Counts wrong proofs over all peers: on loopback everybody has the same address. */
export class FailedProofs {
  #windowEndsAtMs = 0;
  #count = 0;

  /** Counts one; whether it is still within what is allowed. */
  add(nowMs: number): boolean {
    if (nowMs >= this.#windowEndsAtMs) {
      this.#windowEndsAtMs = nowMs + WINDOW_MS;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= ALLOWED;
  }
}
