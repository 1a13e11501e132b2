// So many in a time of what others can make happen as often as they like.

export class Allowance {
  readonly #count: number;
  readonly #windowMs: number;
  #windowEndsAtMs = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(count: number, windowMs: number) {
    this.#count = count;
    this.#windowMs = windowMs;
  }

  /** Takes one; whether there was one left. */
  take(nowMs: number): boolean {
    if (nowMs >= this.#windowEndsAtMs) {
      this.#windowEndsAtMs = nowMs + this.#windowMs;
      this.#taken = 0;
    }
    this.#taken += 1;
    return this.#taken <= this.#count;
  }
}
