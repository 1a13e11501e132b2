// The bench counts missing output, and nothing hides it.
import { expect, it } from 'vitest';
import { Followed } from './followed.ts';

const told = (followed: Followed, ...seqs: readonly number[]): void => {
  for (const seq of seqs) followed.output(seq, 1, () => Buffer.alloc(1));
};

it('counts the events between two that were told', () => {
  const followed = new Followed({ address: { key: 'k' } });
  told(followed, 7, 8, 11);
  expect(followed.missedEvents).toBe(2);
});

it.each([
  ['twice', [1, 3, 3]],
  ['after a later one', [1, 3, 2]],
])('takes no event that is told %s', (_, seqs) => {
  const followed = new Followed({ address: { key: 'k' } });
  expect(() => told(followed, ...seqs)).toThrow('came again, or too late: after 3');
});
