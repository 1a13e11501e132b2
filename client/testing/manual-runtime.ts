// Time that a test moves and dice that a seed decides, so that a run can be had again.
import type { Runtime } from '../runtime.ts';
import { Dice } from './dice.ts';

/** Time and chance, as the fakes need them. */
export interface TestRuntime extends Runtime {
  /** A whole number from `low` to `high`, both included. */
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

  /** Runs all that falls due in this time, in order, and what follows from it. */
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

  /** The machine sleeps: time goes by and nothing runs until the next `advance`. */
  sleep(ms: number): void {
    this.#nowMs += ms;
  }

  /** Number of timers that have not been cancelled. */
  get timerCount(): number {
    return this.#timers.length;
  }
}

/** Settled promises run their callbacks, a few levels deep. */
async function settled(): Promise<void> {
  for (let depth = 0; depth < 8; depth += 1) await Promise.resolve();
}
