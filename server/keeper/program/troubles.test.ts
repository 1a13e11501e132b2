// Troubles of the keeper with its disk, as a gateway is told of them.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Troubles } from './troubles.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('[KP20] A full disk is over when the output of every process is on it', () => {
  const told = vi.fn();
  const troubles = new Troubles(told);
  troubles.unwritten(1, 'full');
  troubles.unwritten(2, 'full');
  troubles.unwritten(1, null);
  expect(troubles.now).toBe('full');
  troubles.unwritten(2, null);
  expect(told.mock.calls).toEqual([['full'], [null]]);
});

it('[KP20] A slow disk is reported for a minute after the last slow write, and a full one is graver', () => {
  const troubles = new Troubles(() => {});
  troubles.slow(150.4);
  expect(troubles.now).toContain('a write took 150 ms');
  vi.advanceTimersByTime(59_000);
  troubles.slow(200);
  troubles.unwritten(1, 'full');
  expect(troubles.now).toBe('full');
  troubles.unwritten(1, null);
  vi.advanceTimersByTime(59_000);
  expect(troubles.now).toContain('200 ms');
  vi.advanceTimersByTime(2000);
  expect(troubles.now).toBeNull();
});
