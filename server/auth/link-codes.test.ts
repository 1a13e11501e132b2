// [AU3] A code works once, in time, and not for ever many are good.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LinkCodes } from './link-codes.ts';

const OPERATOR = { role: 'operator', name: null } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is good once', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create(OPERATOR);
  expect(codes.redeem(code)).toEqual(OPERATOR);
  expect(codes.redeem(code)).toBeNull();
});

it('ends', () => {
  const codes = new LinkCodes(1000);
  const [early, late] = [codes.create(OPERATOR), codes.create(OPERATOR)];
  vi.advanceTimersByTime(999);
  expect(codes.redeem(early)).toEqual(OPERATOR);
  vi.advanceTimersByTime(1);
  expect(codes.redeem(late)).toBeNull();
});

it('is not anything else', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create(OPERATOR);
  for (const wrong of ['', code.slice(1), `${code}x`, code.toLowerCase()])
    expect(codes.redeem(wrong)).toBeNull();
  expect(codes.redeem(code)).toEqual(OPERATOR);
});

it('is one of a few: beyond, the oldest goes', () => {
  const codes = new LinkCodes(1000);
  const all = Array.from({ length: 17 }, () => codes.create(OPERATOR));
  expect(all.map((code) => codes.redeem(code))).toEqual([
    null,
    ...Array.from({ length: 16 }, () => OPERATOR),
  ]);
});

it('[AU14] makes whom it was made for', () => {
  const codes = new LinkCodes(1000);
  const [admin, observer] = [
    codes.create({ role: 'admin', name: 'Ada' }),
    codes.create({ role: 'observer', name: null }),
  ];
  expect([codes.redeem(observer), codes.redeem(admin)]).toEqual([
    { role: 'observer', name: null },
    { role: 'admin', name: 'Ada' },
  ]);
});
