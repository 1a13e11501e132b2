// Refusals that are logged, and those that are only counted.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refusals } from './refusals.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('[AD4] Refusals logs a hundred at once, and counts the others until more may be logged', () => {
  const record = vi.fn();
  const refusals = new Refusals(record);
  const refuse = (): void =>
    refusals.add({ from: 'x:1', reason: 'why', status: 403, request: { method: 'GET', path: '/' } });
  for (let times = 0; times < 250; times += 1) refuse();
  expect(record).toHaveBeenCalledTimes(100);
  vi.advanceTimersByTime(10 * 60_000);
  refuse();
  refuse();
  expect(record.mock.calls.slice(100)).toEqual([
    ['x:1', { method: 'GET', path: '/', reason: 'why', unrecorded: 150 }],
    ['x:1', { method: 'GET', path: '/', reason: 'why' }],
  ]);
});

it('Refusals allows thirty wrong proofs at once and one more every two seconds, and counts the others as refused', () => {
  const record = vi.fn();
  const refusals = new Refusals(record);
  const verdicts = Array.from({ length: 40 }, () => refusals.takeProof());
  expect(verdicts.filter(Boolean)).toHaveLength(30);
  refusals.add({ from: 'x:1', reason: 'why', status: 403, request: null });
  expect(record).toHaveBeenCalledWith('x:1', { reason: 'why', unrecorded: 10 });
  vi.advanceTimersByTime(1999);
  expect(refusals.takeProof()).toBe(false);
  vi.advanceTimersByTime(1);
  expect([refusals.takeProof(), refusals.takeProof()]).toEqual([true, false]);
});
