// Outcomes of writes, at the first request and when repeated.
import { expect, it } from 'vitest';
import { Writes } from './writes.ts';

const LIMITS = {
  writeIds: 100,
  stdinQueueBytes: 10,
  stdinQueueWrites: 100,
  stdinWaitingBytes: 20,
  stdinAllBytes: 1000,
  stdinFairBytes: 1,
};
const closeStdin = (): void => undefined;

it('[PR1] Writes answers a repeated write with its first outcome', async () => {
  let outcome: 'accepted' | 'closed' = 'accepted';
  const writes = new Writes({ write: () => Promise.resolve(outcome), closeStdin }, LIMITS);
  expect(writes.answered('s', '1')).toBeNull();
  expect(await writes.add('s', '1', Buffer.from('x'))).toBe('accepted');
  outcome = 'closed';
  expect(await writes.add('s', '2', Buffer.from('x'))).toBe('stdinClosed');
  expect([writes.answered('s', '1'), writes.answered('s', '2')]).toEqual(['accepted', 'stdinClosed']);
  expect(writes.acceptedBytes).toBe(1);
  expect(writes.answered('another', '1')).toBeNull();
  writes.forget('s');
  expect(writes.answered('s', '2')).toBeNull();
});

it('[PR2] Writes answers both requests for a write that waits with the same outcome', async () => {
  const taken: ((outcome: 'accepted') => void)[] = [];
  const write = (): Promise<'accepted'> => new Promise((resolve) => taken.push(resolve));
  const writes = new Writes({ write, closeStdin }, LIMITS);
  expect(await writes.add('s', '1', Buffer.alloc(11))).toBe('accepted');
  const second = writes.add('s', '2', Buffer.from('x'));
  expect(writes.answered('s', '2')).toBe(second);
  taken[0]?.('accepted');
  expect(await second).toBe('accepted');
  expect(writes.answered('s', '2')).toBe('accepted');
  expect(writes.acceptedBytes).toBe(12);
});

it('[PR2] Writes forgets a rejected write, which can then be repeated', async () => {
  const taken: ((outcome: 'accepted') => void)[] = [];
  const write = (): Promise<'accepted'> => new Promise((resolve) => taken.push(resolve));
  const writes = new Writes({ write, closeStdin }, LIMITS);
  await writes.add('s', '1', Buffer.alloc(11));
  expect(() => writes.add('s', '2', Buffer.alloc(21))).toThrow('more than 20 bytes would be waiting');
  expect(writes.answered('s', '2')).toBeNull();
  taken[0]?.('accepted');
  await Promise.resolve();
  expect(await writes.add('s', '2', Buffer.alloc(21))).toBe('accepted');
});

it('[PR1] Writes answers synchronously when the outcome is known synchronously', () => {
  let outcome: 'accepted' | 'closed' = 'accepted';
  const writes = new Writes({ write: () => outcome, closeStdin }, LIMITS);
  expect(writes.add('s', '1', Buffer.from('x'))).toBe('accepted');
  outcome = 'closed';
  expect(writes.add('s', '2', Buffer.from('x'))).toBe('stdinClosed');
  expect([writes.answered('s', '1'), writes.answered('s', '2')]).toEqual(['accepted', 'stdinClosed']);
});
