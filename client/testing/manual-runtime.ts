// Manual clock and seeded random numbers, so that a test run can be repeated.
import type { Runtime } from '../runtime.ts';
import { Dice } from './dice.ts';

export interface TestRuntime extends Runtime {
  /** Returns a whole number from `low` to `high`, both included. */
  pick(low: number, high: number): number;
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

export class ManualRuntime extends Dice implements TestRuntime {
  #nowMs = 1_000_000;
  #timers: readonly Timer[] = [];

  constructor(seed = 1) {
    super(seed);
  }

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { atMs: this.#nowMs + ms, run };
    const at = this.#timers.findLastIndex((each) => each.atMs <= timer.atMs);
    this.#timers = this.#timers.toSpliced(at + 1, 0, timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** Advances the clock and runs all timers that fall due, in order, including those they set. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (let [first] = this.#timers; first && first.atMs <= untilMs; [first] = this.#timers) {
      this.#timers = this.#timers.slice(1);
      this.#nowMs = Math.max(this.#nowMs, first.atMs);
      first.run();
      await settled();
    }
    this.#nowMs = untilMs;
  }

  /** Simulates a sleeping machine: time passes, and nothing runs until the next `advance`. */
  sleep(ms: number): void {
    this.#nowMs += ms;
  }

  get timerCount(): number {
    return this.#timers.length;
  }
}

/** Runs the callbacks of settled promises, a few levels deep. */
async function settled(): Promise<void> {
  for (let depth = 0; depth < 8; depth += 1) await Promise.resolve();
}
