// Tests of detecting when an identity expires, however distant that is.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { whenExpired } from './expiry.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('whenExpired calls back once, on time', () => {
  const expired = vi.fn();
  whenExpired({ expiresAtMs: Date.now() + HOUR }, expired);
  vi.advanceTimersByTime(HOUR - 1);
  expect(expired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(expired).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it('[AU6] whenExpired calls back within two seconds after a sleep of the machine during which the identity expired', () => {
  const expired = vi.fn();
  whenExpired({ expiresAtMs: Date.now() + 100 * DAY }, expired);
  vi.advanceTimersByTime(HOUR);
  expect(expired).not.toHaveBeenCalled();
  // The clock is advanced without running timers.
  vi.setSystemTime(Date.now() + 100 * DAY);
  vi.advanceTimersByTime(2000);
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
  vi.advanceTimersByTime(HOUR);
  expect(never).not.toHaveBeenCalled();
});
