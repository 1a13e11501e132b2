// A rate limit: a burst is allowed at once, and then restored one by one over time.

export interface Rate {
  /** Number allowed at once after an idle period. */
  readonly burst: number;
  /** Milliseconds after which one more is allowed. */
  readonly everyMs: number;
}

export class RateLimit {
  readonly #rate: Rate;
  /** Time at which the whole burst is available again, on the clock of performance.now. */
  #fullAtMs = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Number available now: at most the burst, and negative after `spend` took more than was available. */
  get left(): number {
    const { burst, everyMs } = this.#rate;
    return burst - Math.max(0, this.#fullAtMs - performance.now()) / everyMs;
  }

  /** Takes one; returns false, and takes nothing, when none is available. */
  take(): boolean {
    if (this.left < 1) return false;
    this.spend(1);
    return true;
  }

  /** Takes `count`, even beyond what is available. */
  spend(count: number): void {
    this.#fullAtMs = Math.max(this.#fullAtMs, performance.now()) + count * this.#rate.everyMs;
  }
}
