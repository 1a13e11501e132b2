// Tests of the expiry of proofs, however distant.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whenExpired } from './expiry.ts';

const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('whenExpired calls back once, on time, even after a hundred days', () => {
  const expired = vi.fn();
  whenExpired({ expiresAtMs: Date.now() + 100 * DAY }, expired);
  vi.advanceTimersByTime(100 * DAY - 1);
  expect(expired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(expired).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it('whenExpired leaves no timer behind when it is cancelled, or for an identity that never expires', () => {
  const undo = whenExpired({ expiresAtMs: Date.now() + DAY }, () => {});
  undo();
  whenExpired({ expiresAtMs: null }, () => {});
  expect(vi.getTimerCount()).toBe(0);
});

it('whenExpired calls back at once for an identity that has expired already', () => {
  const expired = vi.fn();
  whenExpired({ expiresAtMs: Date.now() }, expired);
  expect(expired).toHaveBeenCalledOnce();
  const never = vi.fn();
  whenExpired({ expiresAtMs: null }, never)();
  vi.advanceTimersByTime(100 * DAY);
  expect(never).not.toHaveBeenCalled();
});
