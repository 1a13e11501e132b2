// [AD6] Those who only look fill so much of the record, each for themselves, minute by minute.
import { expect, it } from 'vitest';
import { ObserverAllowance } from './observer-allowance.ts';

it('[AD6] records so many in a minute, says once that there are more, and begins again', () => {
  const allowance = new ObserverAllowance({ auditOfObserver: 2 });
  const take = (who: string, atMs: number): string => allowance.take(who, atMs);
  expect([1, 2, 3, 4].map((ms) => take('a', ms))).toEqual(['record', 'record', 'sayTooMany', 'drop']);
  expect(take('b', 5)).toBe('record');
  expect(take('a', 60_000)).toBe('drop');
  expect(take('a', 60_001)).toBe('record');
});
