// A manual clock for tests of a gateway that stalls.
import { afterEach, beforeEach, vi } from 'vitest';

let nowMs = 0;

/** Installs the manual clock for the tests of a file; call it once there. */
export function withLateClock(): void {
  beforeEach(() => {
    nowMs = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

export function pass(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(ms);
}

/** Advances the clock while no timer runs, then runs each pending timer once. */
export function standStill(ms: number): void {
  nowMs += ms;
  vi.runOnlyPendingTimers();
}
