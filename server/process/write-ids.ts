// The writeIds one writer has used on one process: the newest of them, in bounded memory.

/** Ids that count 1, 2, 3 … are remembered as one range; any others one by one. */
export class WriteIds {
  readonly #limit: number;
  #low = 0;
  /** The newest of the counted ids; below `#low` while there are none. */
  #high = -1;
  readonly #others = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(id: string): boolean {
    const n = counter(id);
    return (n !== null && n >= this.#low && n <= this.#high) || this.#others.has(id);
  }

  add(id: string): void {
    const n = counter(id);
    if (n !== null && this.#high < this.#low) {
      this.#low = n;
      this.#high = n;
    } else if (n !== null && n === this.#high + 1) {
      this.#high = n;
    } else {
      this.#others.add(id);
    }
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    this.#low = Math.max(this.#low, this.#high - this.#limit + 1);
    if (this.#others.size <= this.#limit) return;
    for (const oldest of this.#others) {
      this.#others.delete(oldest);
      return;
    }
  }
}

/** The number that `id` is the usual spelling of. */
function counter(id: string): number | null {
  const n = Number(id);
  return Number.isSafeInteger(n) && n >= 0 && String(n) === id ? n : null;
}
