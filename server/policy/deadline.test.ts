// Tests of deadlines, with both clocks set by the test.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deadlineIn, isOver } from './deadline.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it.each([
  ['a clock that is right', 0],
  ['a clock that is set back', -3_600_000],
])('[AU3] with %s, a deadline is over after its time, and not before', (_, byMs) => {
  const deadline = deadlineIn(1000);
  vi.setSystemTime(Date.now() + byMs);
  vi.advanceTimersByTime(999);
  expect(isOver(deadline)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isOver(deadline)).toBe(true);
});

it('[AU3] a deadline also passes while the machine sleeps, when only the wall clock advances', () => {
  const deadline = deadlineIn(1000);
  vi.setSystemTime(Date.now() + 1000);
  expect(isOver(deadline)).toBe(true);
});
