// Real timers for an in-memory gateway, even where a test controls the page's time.
import { Dice } from '../../client/testing/dice.ts';
import type { TestRuntime } from '../../client/testing/manual-runtime.ts';

const { setTimeout, clearTimeout, performance } = globalThis;

export class LiveRuntime extends Dice implements TestRuntime {
  constructor() {
    super(1);
  }

  now(): number {
    return performance.now();
  }

  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, Math.max(0, ms));
    return () => clearTimeout(timer);
  }
}
