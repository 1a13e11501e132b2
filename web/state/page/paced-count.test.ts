// A count is reported immediately when it begins and ends, and at a readable pace in between.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ToldCount } from './told-count.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted(): { readonly count: ToldCount; readonly reported: (number | null)[] } {
  const reported: (number | null)[] = [];
  return { count: new ToldCount((each) => reported.push(each)), reported };
}

it('a ToldCount reports the first count at once, and then only the last in each quarter second', () => {
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

it('a ToldCount reports the end at once, and no earlier count after it', () => {
  const { count, reported } = counted();
  count.set(1);
  count.set(2);
  count.set(null);
  vi.advanceTimersByTime(10_000);
  expect(reported).toEqual([1, null]);
});

it('a disposed ToldCount reports nothing', () => {
  const { count, reported } = counted();
  count.set(1);
  count.set(2);
  count.dispose();
  vi.advanceTimersByTime(10_000);
  expect(reported).toEqual([1]);
});
