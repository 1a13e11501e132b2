// The time by which recordings age. A clock that is far ahead for a while must not cause permanent deletions.

/** Minimum jump ahead after which the clock is not trusted at first. */
const JUMP_MS = 60 * 60 * 1000;
/** Time for which the clock must stay ahead before recordings age by it; a machine that slept also waits that long. */
const PROOF_MS = 24 * 60 * 60 * 1000;

export class AgeClock {
  /** Offset from performance.now of the time by which recordings age. */
  #offsetMs = offsetMs();
  /** Time at which the clock was first found ahead, on the clock of performance.now; null while it is not. */
  #aheadSinceMs: number | null = null;

  /** Returns the time in ms since 1970; for a day after a jump ahead, it continues as before the jump. */
  now(): number {
    const offset = offsetMs();
    const steadyMs = performance.now();
    if (offset < this.#offsetMs + JUMP_MS) this.#aheadSinceMs = null;
    else this.#aheadSinceMs ??= steadyMs;
    if (this.#aheadSinceMs === null || steadyMs - this.#aheadSinceMs >= PROOF_MS) {
      this.#offsetMs = offset;
      this.#aheadSinceMs = null;
    }
    return this.#offsetMs + steadyMs;
  }
}

const offsetMs = (): number => Date.now() - performance.now();
