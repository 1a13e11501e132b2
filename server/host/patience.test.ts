// Timeouts while the gateway itself was suspended: rule SE8.
import { describe, expect, it, vi } from 'vitest';
import { pass, standStill, withLateClock } from '../testing/late-clock.ts';
import { afterPatience } from './patience.ts';

const MS = 1000;

withLateClock();

describe('[SE8] afterPatience', () => {
  it('calls back once, after the timeout', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over);
    pass(MS - 1);
    expect(over).not.toHaveBeenCalled();
    pass(1);
    pass(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it('waits for as long again as the gateway was suspended after the timeout', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over);
    standStill(MS + 300);
    pass(299);
    expect(over).not.toHaveBeenCalled();
    pass(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it('extends its timeout by at most its own length', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over);
    standStill(1000 * MS);
    pass(MS);
    expect(over).toHaveBeenCalledOnce();
  });

  it('can be cancelled before and after a suspension', () => {
    const over = vi.fn<() => void>();
    afterPatience(MS, over)();
    const undo = afterPatience(MS, over);
    standStill(2 * MS);
    undo();
    pass(10 * MS);
    expect(over).not.toHaveBeenCalled();
  });
});
