// Counts the output of a process over time, in a limited number of bins, whose length grows with the recording.

/** Maximum number of bins with output. */
const MOST_BINS = 2000;
const FIRST_BIN_MS = 100;

export class Bins {
  #binMs = FIRST_BIN_MS;
  #fromMs: number | null = null;
  #bins = new Map<number, number>();

  get binMs(): number {
    return this.#binMs;
  }

  /** Time at which the first bin begins; null before `begin` or `add` is called. */
  get fromMs(): number | null {
    return this.#fromMs;
  }

  /** Sets the time from which bins are counted; later calls have no effect. */
  begin(atMs: number): void {
    this.#fromMs ??= atMs;
  }

  add(atMs: number, bytes: number): void {
    this.begin(atMs);
    const bin = Math.max(0, Math.floor((atMs - (this.#fromMs ?? atMs)) / this.#binMs));
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + bytes);
    while (this.#bins.size > MOST_BINS) this.#double();
  }

  /** Returns the numbers of the bins with output in ascending order, and the bytes of each. */
  all(): { readonly bins: readonly number[]; readonly binBytes: readonly number[] } {
    const sorted = [...this.#bins].toSorted(([one], [other]) => one - other);
    return { bins: sorted.map(([bin]) => bin), binBytes: sorted.map(([, bytes]) => bytes) };
  }

  #double(): void {
    const before = this.#bins;
    this.#binMs *= 2;
    this.#bins = new Map();
    for (const [bin, bytes] of before) {
      const half = Math.floor(bin / 2);
      this.#bins.set(half, (this.#bins.get(half) ?? 0) + bytes);
    }
  }
}
