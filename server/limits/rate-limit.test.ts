// Tests of RateLimit: a burst, which is restored over time.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RateLimit } from './rate-limit.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const takes = (limit: RateLimit, count: number): number =>
  Array.from({ length: count }, () => limit.take()).filter(Boolean).length;

it('RateLimit permits a burst at once, and then one act after each interval, not a millisecond sooner', () => {
  const limit = new RateLimit({ burst: 3, everyMs: 1000 });
  expect(takes(limit, 5)).toBe(3);
  vi.advanceTimersByTime(999);
  expect(takes(limit, 5)).toBe(0);
  vi.advanceTimersByTime(1);
  expect(takes(limit, 5)).toBe(1);
});

it('RateLimit restores its whole burst after an idle time, and no more than that', () => {
  const limit = new RateLimit({ burst: 3, everyMs: 1000 });
  takes(limit, 3);
  vi.advanceTimersByTime(3000);
  expect(limit.left).toBe(3);
  vi.advanceTimersByTime(3_600_000);
  expect(takes(limit, 10)).toBe(3);
});

it('RateLimit becomes negative for a large amount spent at once, and takes as long to recover', () => {
  const limit = new RateLimit({ burst: 10, everyMs: 1 });
  limit.spend(25);
  expect(limit.left).toBe(-15);
  vi.advanceTimersByTime(15);
  expect(limit.left).toBe(0);
  vi.advanceTimersByTime(1);
  expect(takes(limit, 5)).toBe(1);
});

it('RateLimit permits in any period at most its burst and the amount restored in that period', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 100, size: 'max' }),
      (burst, everyMs, pauses) => {
        const limit = new RateLimit({ burst, everyMs });
        const takenAtMs: number[] = [];
        for (const pause of pauses) {
          vi.advanceTimersByTime(pause);
          if (limit.take()) takenAtMs.push(performance.now());
        }
        for (const [first, fromMs] of takenAtMs.entries()) {
          for (const [last, untilMs] of takenAtMs.entries()) {
            if (last < first) continue;
            expect(last - first + 1).toBeLessThanOrEqual(burst + (untilMs - fromMs) / everyMs);
          }
        }
      },
    ),
    { numRuns: 50 },
  );
});
