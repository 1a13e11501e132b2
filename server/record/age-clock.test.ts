// Tests of the time by which recordings age, when the clock is wrong for a while.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AgeClock } from './age-clock.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('an AgeClock returns the time of the clock, also after small corrections', () => {
  const clock = new AgeClock();
  vi.advanceTimersByTime(DAY);
  expect(clock.now()).toBe(Date.now());
  for (const correction of [HOUR - 1, -HOUR, HOUR - 1]) {
    vi.setSystemTime(Date.now() + correction);
    expect(clock.now()).toBe(Date.now());
  }
});

it('[HS12] a clock that is days ahead for a while does not age recordings', () => {
  const clock = new AgeClock();
  const right = Date.now();
  vi.setSystemTime(right + 40 * DAY);
  expect(clock.now()).toBe(right);
  vi.advanceTimersByTime(DAY - 1);
  expect(clock.now()).toBe(right + DAY - 1);
  vi.setSystemTime(right + DAY - 1);
  vi.advanceTimersByTime(2 * DAY);
  expect(clock.now()).toBe(Date.now());
});

it('[HS12] recordings age by a clock that has stayed ahead for a day', () => {
  const clock = new AgeClock();
  vi.setSystemTime(Date.now() + 40 * DAY);
  clock.now();
  vi.advanceTimersByTime(DAY);
  expect(clock.now()).toBe(Date.now());
});

it('a clock that was set back is followed at once, and its next jump ahead is not trusted at first', () => {
  const clock = new AgeClock();
  vi.setSystemTime(Date.now() - 40 * DAY);
  expect(clock.now()).toBe(Date.now());
  const before = Date.now();
  vi.setSystemTime(before + 40 * DAY);
  expect(clock.now()).toBe(before);
});
