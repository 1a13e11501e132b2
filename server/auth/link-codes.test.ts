// [AU3] A code works once, in time, and not for ever many are good.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LinkCodes } from './link-codes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is good once', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create();
  expect(codes.redeem(code)).toBe(true);
  expect(codes.redeem(code)).toBe(false);
});

it('ends', () => {
  const codes = new LinkCodes(1000);
  const [early, late] = [codes.create(), codes.create()];
  vi.advanceTimersByTime(999);
  expect(codes.redeem(early)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(codes.redeem(late)).toBe(false);
});

it('is not anything else', () => {
  const codes = new LinkCodes(1000);
  const code = codes.create();
  for (const wrong of ['', code.slice(1), `${code}x`, code.toLowerCase()])
    expect(codes.redeem(wrong)).toBe(false);
  expect(codes.redeem(code)).toBe(true);
});

it('is one of a few: beyond, the oldest goes', () => {
  const codes = new LinkCodes(1000);
  const all = Array.from({ length: 17 }, () => codes.create());
  expect(all.map((code) => codes.redeem(code))).toEqual([false, ...Array.from({ length: 16 }, () => true)]);
});
