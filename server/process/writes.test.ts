// What who writes is told, the first time and when asked again.
import { expect, it } from 'vitest';
import { Writes } from './writes.ts';

const LIMITS = { writeIds: 100, stdinQueueBytes: 10 };

it('[PR1] tells who asks again what became of it the first time', async () => {
  let outcome: 'accepted' | 'closed' = 'accepted';
  const writes = new Writes({ write: () => Promise.resolve(outcome) }, LIMITS);
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

it('[PR2] waits while more is queued than may be, and tells both who ask the same', async () => {
  let take = (): void => undefined;
  const taken = new Promise<'accepted'>((resolve) => (take = () => resolve('accepted')));
  const writes = new Writes({ write: () => taken }, LIMITS);
  const first = writes.add('s', '1', Buffer.from('more than ten bytes'));
  expect(writes.answered('s', '1')).toBe(first);
  take();
  expect(await first).toBe('accepted');
});

it('[PR1] answers at once when it is known at once', () => {
  let outcome: 'accepted' | 'closed' = 'accepted';
  const writes = new Writes({ write: () => outcome }, LIMITS);
  expect(writes.add('s', '1', Buffer.from('x'))).toBe('accepted');
  outcome = 'closed';
  expect(writes.add('s', '2', Buffer.from('x'))).toBe('stdinClosed');
  expect([writes.answered('s', '1'), writes.answered('s', '2')]).toEqual(['accepted', 'stdinClosed']);
});
