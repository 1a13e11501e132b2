// What a time means when the gateway stood still during it: rule SE8.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterPatience } from './patience.ts';

const MS = 1000;

let nowMs = 0;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function pass(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(ms);
}

/** What was due meanwhile runs at the end of it. */
function standStill(ms: number): void {
  nowMs += ms;
  vi.runOnlyPendingTimers();
}

describe('[SE8] patience', () => {
  it('ends with its time', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over);
    pass(MS - 1);
    expect(over).not.toHaveBeenCalled();
    pass(1);
    pass(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it('goes on for as long as the gateway stood still beyond that', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over);
    standStill(MS + 300);
    pass(299);
    expect(over).not.toHaveBeenCalled();
    pass(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it('goes on once more at the most', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over);
    standStill(1000 * MS);
    pass(MS);
    expect(over).toHaveBeenCalledOnce();
  });

  it('is undone before and after a standstill', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over)();
    const undo = afterPatience(MS, over);
    standStill(2 * MS);
    undo();
    pass(10 * MS);
    expect(over).not.toHaveBeenCalled();
  });
});
