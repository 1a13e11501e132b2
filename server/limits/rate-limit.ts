// A rate limit: so much at once, and after that as much as comes back with time.

export interface Rate {
  /** The burst that is allowed after a quiet. */
  readonly burst: number;
  /** In how many milliseconds one comes back. */
  readonly everyMs: number;
}

export class RateLimit {
  readonly #rate: Rate;
  /** When all will have come back, on the clock of performance.now: the one number that changes. */
  #fullAtMs = 0;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** At most the burst; negative after more was spent than there was. */
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
