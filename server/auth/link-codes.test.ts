// [AU3] A code works once, in time, and not for ever many are good.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LinkCodes } from './link-codes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is good once', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create('operator');
  expect(codes.redeem(code)).toBe('operator');
  expect(codes.redeem(code)).toBeNull();
});

it('ends', () => {
  const codes = new LinkCodes(1000);
  const [early, late] = [codes.create('operator'), codes.create('operator')];
  vi.advanceTimersByTime(999);
  expect(codes.redeem(early)).toBe('operator');
  vi.advanceTimersByTime(1);
  expect(codes.redeem(late)).toBeNull();
});

it('is not anything else', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create('operator');
  for (const wrong of ['', code.slice(1), `${code}x`, code.toLowerCase()])
    expect(codes.redeem(wrong)).toBeNull();
  expect(codes.redeem(code)).toBe('operator');
});

it('is one of a few: beyond, the oldest goes', () => {
  const codes = new LinkCodes(1000);
  const all = Array.from({ length: 17 }, () => codes.create('operator'));
  expect(all.map((code) => codes.redeem(code))).toEqual([
    null,
    ...Array.from({ length: 16 }, () => 'operator'),
  ]);
});

it('[AU14] makes whom it was made for', () => {
  const codes = new LinkCodes(1000);
  const [admin, observer] = [codes.create('admin'), codes.create('observer')];
  expect([codes.redeem(observer), codes.redeem(admin)]).toEqual(['observer', 'admin']);
});
