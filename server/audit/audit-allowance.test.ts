// [AD6] Repeatable acts fill a limited part of the audit log, counted per person and minute.
import { expect, it } from 'vitest';
import { AuditAllowance } from './audit-allowance.ts';

it('[AD6] AuditAllowance admits a limited number per minute, notes once that there are more, and then their number', () => {
  const allowance = new AuditAllowance(2);
  const missing: [string, number][] = [];
  const take = (who: string, atMs: number): string =>
    allowance.take(who, atMs, (count) => missing.push([who, count]));
  expect([1, 2, 3, 4].map((ms) => take('a', ms))).toEqual(['record', 'record', 'noteTooMany', 'drop']);
  expect(take('b', 5)).toBe('record');
  expect(take('a', 60_000)).toBe('drop');
  expect(missing).toEqual([]);
  expect(take('b', 60_001)).toBe('record');
  expect(missing).toEqual([['a', 3]]);
  expect(take('a', 60_002)).toBe('record');
  expect(take('a', 120_001)).toBe('record');
  expect(missing).toHaveLength(1);
});
