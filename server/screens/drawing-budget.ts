// Rate limit of output for the screens' thread: drawing floods would take up a whole core.
import { RateLimit } from '../limits/rate-limit.ts';

export interface Rate {
  readonly bytesPerSecond: number;
  /** Bytes at once after a quiet period. */
  readonly burstBytes: number;
}

/** A rate limit with a queue: a caller that finds nothing left is called again, in turn, when there is. */
export class DrawingBudget {
  readonly #limit: RateLimit;
  readonly #retryMs: number;
  /** Callers in the order of their turns. */
  readonly #waiting = new Set<() => void>();
  /** The caller whose turn it is. */
  #called: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor({ bytesPerSecond, burstBytes }: Rate) {
    const everyMs = 1000 / bytesPerSecond;
    this.#limit = new RateLimit({ burst: burstBytes, everyMs });
    this.#retryMs = Math.ceil((burstBytes / 4) * everyMs);
  }

  /** Returns false while nothing is left, or others wait; then `retry` is called once, later. */
  isOpenFor(retry: () => void): boolean {
    const [first = retry] = this.#waiting;
    if (this.#limit.left > 0 && (first === retry || this.#called === retry)) return true;
    this.#waiting.add(retry);
    this.#retryLater();
    return false;
  }

  /** May exceed the limit: a caller sends a whole chunk. */
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
      // A caller that wants more after its turn waits behind all others.
      this.#waiting.delete(retry);
      this.#called = retry;
      retry();
    }
    this.#called = null;
    if (this.#waiting.size > 0) this.#retryLater();
  }
}
