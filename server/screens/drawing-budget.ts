// How much output the screens' thread may be given: drawing floods would take a whole core from everybody.

export interface Rate {
  readonly bytesPerSecond: number;
  /** So many at once after a quiet. */
  readonly burstBytes: number;
}

/** A bucket that fills with time. Who finds it empty is called again, in turn, when there is something in it. */
export class DrawingBudget {
  readonly #rate: Rate;
  /** In the order of their turns. */
  readonly #waiting = new Set<() => void>();
  /** Whose turn it is. */
  #called: (() => void) | null = null;
  #bytes: number;
  #filledAtMs = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(rate: Rate) {
    this.#rate = rate;
    this.#bytes = rate.burstBytes;
  }

  /** False while it is empty, or others wait; then `retry` is called once, later. */
  isOpenFor(retry: () => void): boolean {
    const [first = retry] = this.#waiting;
    if (this.#isFilled() && (first === retry || this.#called === retry)) return true;
    this.#waiting.add(retry);
    this.#retryLater();
    return false;
  }

  /** May go below nothing: who was let in gives a whole chunk. */
  take(bytes: number): void {
    this.#bytes -= bytes;
  }

  forget(retry: () => void): void {
    this.#waiting.delete(retry);
  }

  close(): void {
    this.#waiting.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #isFilled(): boolean {
    const { bytesPerSecond, burstBytes } = this.#rate;
    const now = performance.now();
    this.#bytes = Math.min(burstBytes, this.#bytes + ((now - this.#filledAtMs) / 1000) * bytesPerSecond);
    this.#filledAtMs = now;
    return this.#bytes > 0;
  }

  #retryLater(): void {
    const { bytesPerSecond, burstBytes } = this.#rate;
    this.#timer ??= setTimeout(() => this.#retry(), Math.ceil((burstBytes / 4 / bytesPerSecond) * 1000));
  }

  #retry(): void {
    this.#timer = null;
    const waiting = [...this.#waiting];
    for (const retry of waiting) {
      if (!this.#isFilled()) break;
      // Who wants more after its turn waits behind all others.
      this.#waiting.delete(retry);
      this.#called = retry;
      retry();
    }
    this.#called = null;
    if (this.#waiting.size > 0) this.#retryLater();
  }
}
