// A count is reported immediately when it begins and ends, and at a readable pace in between.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PacedCount } from './paced-count.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted(): { readonly count: PacedCount; readonly reported: (number | null)[] } {
  const reported: (number | null)[] = [];
  return { count: new PacedCount((each) => reported.push(each)), reported };
}

it('a PacedCount reports the first count at once, and then only the last in each quarter second', () => {
  const { count, reported } = counted();
  count.set(1);
  expect(reported).toEqual([1]);
  count.set(2);
  count.set(3);
  expect(reported).toEqual([1]);
  vi.advanceTimersByTime(250);
  expect(reported).toEqual([1, 3]);
  expect(count.count).toBe(3);
  vi.advanceTimersByTime(10_000);
  expect(reported).toEqual([1, 3]);
});

it('a PacedCount reports the end at once, and no earlier count after it', () => {
  const { count, reported } = counted();
  count.set(1);
  count.set(2);
  count.set(null);
  vi.advanceTimersByTime(10_000);
  expect(reported).toEqual([1, null]);
});

it('a disposed PacedCount reports nothing', () => {
  const { count, reported } = counted();
  count.set(1);
  count.set(2);
  count.dispose();
  vi.advanceTimersByTime(10_000);
  expect(reported).toEqual([1]);
});
