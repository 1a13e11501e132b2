// Disk problems that the keeper reports to the gateway.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Troubles } from './troubles.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('[KP20] Troubles reports a full disk until the output of every process can be written', () => {
  const reported = vi.fn();
  const troubles = new Troubles(reported);
  troubles.unwritten(1, 'full');
  troubles.unwritten(2, 'full');
  troubles.unwritten(1, null);
  expect(troubles.now).toBe('full');
  troubles.unwritten(2, null);
  expect(reported.mock.calls).toEqual([['full'], [null]]);
});

it('[KP20] Troubles reports a slow disk for a minute after the last slow write, but a full disk first', () => {
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
