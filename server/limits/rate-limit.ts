// A rate limit: a burst at once, and after that as much as is regained with time.

export interface Rate {
  /** Burst that is allowed after a quiet. */
  readonly burst: number;
  /** Milliseconds after which one is regained. */
  readonly everyMs: number;
}

export class RateLimit {
  readonly #rate: Rate;
  /** Time when all will be regained, on the clock of performance.now: the one number that changes. */
  #fullAtMs = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Number left: at most the burst; negative after more was spent than was left. */
  get left(): number {
    const { burst, everyMs } = this.#rate;
    return burst - Math.max(0, this.#fullAtMs - performance.now()) / everyMs;
  }

  /** Takes one; false, and nothing taken, when there is none left. */
  take(): boolean {
    if (this.left < 1) return false;
    this.spend(1);
    return true;
  }

  /** Takes so many whether or not they are there. */
  spend(count: number): void {
    this.#fullAtMs = Math.max(this.#fullAtMs, performance.now()) + count * this.#rate.everyMs;
  }
}
