// Rate limit on the output sent to the screens' thread, because drawing floods would occupy a whole core.
import { RateLimit } from '../limits/rate-limit.ts';

export interface Rate {
  readonly bytesPerSecond: number;
  /** Bytes allowed at once after an idle period. */
  readonly burstBytes: number;
}

/** A rate limit with a queue: a caller that finds no budget is called back in turn when there is some. */
export class DrawingBudget {
  readonly #limit: RateLimit;
  readonly #retryMs: number;
  readonly #waiting = new Set<() => void>();
  /** The caller whose turn it is. */
  #called: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor({ bytesPerSecond, burstBytes }: Rate) {
    const everyMs = 1000 / bytesPerSecond;
    this.#limit = new RateLimit({ burst: burstBytes, everyMs });
    this.#retryMs = Math.ceil((burstBytes / 4) * everyMs);
  }

  /**
   * Returns false when the budget is used up or another caller is first in the queue; `retry` is then called once, when
   * its turn comes.
   */
  isOpenFor(retry: () => void): boolean {
    const [first = retry] = this.#waiting;
    if (this.#limit.left > 0 && (first === retry || this.#called === retry)) return true;
    this.#waiting.add(retry);
    this.#retryLater();
    return false;
  }

  /** Spends bytes from the budget, even more than are left, because a caller sends whole chunks. */
  take(bytes: number): void {
    this.#limit.spend(bytes);
  }

  forget(retry: () => void): void {
    this.#waiting.delete(retry);
  }

  close(): void {
    this.#waiting.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #retryLater(): void {
    this.#timer ??= setTimeout(() => this.#retry(), this.#retryMs);
  }

  #retry(): void {
    this.#timer = null;
    const waiting = [...this.#waiting];
    for (const retry of waiting) {
      if (this.#limit.left <= 0) break;
      // A caller that needs more after its turn goes to the end of the queue.
      this.#waiting.delete(retry);
      this.#called = retry;
      retry();
    }
    this.#called = null;
    if (this.#waiting.size > 0) this.#retryLater();
  }
}
