// How much output the screens' thread may be given: drawing floods would take a whole core from everybody.

export interface BudgetLimits {
  /** All screens together; beyond it floods are not drawn whole. */
  readonly screenBytesPerSecond: number;
  /** So many at once after a quiet. */
  readonly screenBurstBytes: number;
}

/** A bucket that fills with time. Who finds it empty is called again, in turn, when there is something in it. */
export class DrawingBudget {
  readonly #limits: BudgetLimits;
  readonly #waiting = new Set<() => void>();
  #bytes: number;
  #filledAtMs = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    this.#bytes = limits.screenBurstBytes;
  }

  /** False while it is empty; then `retry` is called once, later. */
  isOpenFor(retry: () => void): boolean {
    const { screenBytesPerSecond, screenBurstBytes } = this.#limits;
    const now = performance.now();
    this.#bytes = Math.min(
      screenBurstBytes,
      this.#bytes + ((now - this.#filledAtMs) / 1000) * screenBytesPerSecond,
    );
    this.#filledAtMs = now;
    if (this.#bytes > 0) return true;
    this.#waiting.add(retry);
    this.#timer ??= setTimeout(
      () => this.#retry(),
      Math.ceil((screenBurstBytes / 4 / screenBytesPerSecond) * 1000),
    );
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

  #retry(): void {
    this.#timer = null;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const retry of waiting) retry();
  }
}
