// Tests of used nonces: rule AU33.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UsedNonces } from './used-nonces.ts';

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

it('[AU33] UsedNonces removes no nonce before it expires, however many follow', () => {
  const nonces = new UsedNonces(10_000);
  nonces.add('first', { owner: 'mine', endsAtMs: 20_000 });
  for (let each = 0; each < 30_000; each += 1)
    nonces.add(`${each}`, { owner: `other ${each % 4}`, endsAtMs: 20_000 });
  expect(nonces.has('first')).toBe(true);
  expect(nonces.has('29999')).toBe(true);
});

it('[AU33] UsedNonces refuses an owner beyond its limit, and no other, until nonces of it have expired', () => {
  const nonces = new UsedNonces(2);
  const add = (nonce: string, owner: string, endsAtMs: number): boolean =>
    nonces.add(nonce, { owner, endsAtMs });
  expect([add('a', 'one', 10), add('b', 'one', 20), add('c', 'one', 20)]).toEqual([true, true, false]);
  expect(nonces.has('c')).toBe(false);
  expect(add('d', 'two', 20)).toBe(true);
  vi.advanceTimersByTime(10);
  expect([add('c', 'one', 30), add('e', 'one', 30)]).toEqual([true, false]);
  expect([nonces.has('a'), nonces.has('b')]).toEqual([false, true]);
});
