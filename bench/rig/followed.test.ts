// Tests that the benchmark's client counts missing events, and rejects repeated and late ones.
import { expect, it } from 'vitest';
import { Followed } from './followed.ts';

const reported = (followed: Followed, ...seqs: readonly number[]): void => {
  for (const seq of seqs) followed.output(seq, 1, () => Buffer.alloc(1));
};

it('Followed counts missing events between two received ones', () => {
  const followed = new Followed({ address: { key: 'k' } });
  reported(followed, 7, 8, 11);
  expect(followed.missedEvents).toBe(2);
});

it('Followed counts events missing before the first received one of a process that it started', () => {
  const followed = new Followed({ address: { processId: 'p' } });
  reported(followed, 3, 4);
  expect(followed.missedEvents).toBe(2);
});

it.each([
  ['twice', [1, 3, 3]],
  ['after a later one', [1, 3, 2]],
])('Followed rejects an event that arrives %s', (_, seqs) => {
  const followed = new Followed({ address: { key: 'k' } });
  expect(() => reported(followed, ...seqs)).toThrow('was repeated or arrived too late: after 3');
});

it('Followed waits for a number of bytes, which may have arrived before', async () => {
  const followed = new Followed({ address: { key: 'k' } });
  const later = followed.reached(2);
  reported(followed, 1, 2);
  await later;
  await followed.reached(2);
  expect(followed.bytes).toBe(2);
});
