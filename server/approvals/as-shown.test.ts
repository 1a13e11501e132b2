// The reason that is shown when an approved start needs another approval because its files may have changed.
import { describe, expect, it } from 'vitest';
import { UNKNOWN_MARK } from '../host/sandbox/start-facts.ts';
import { waitAsShown } from './as-shown.ts';
import type { AskedStart } from './start-question.ts';
import type { Asking, WaitingQueue } from './waiting.ts';

/** Returns the reasons of the approvals requested for a start whose successive checks find these marks. */
async function reasons(...marks: readonly string[]): Promise<readonly string[]> {
  const left = [...marks];
  const asked: string[] = [];
  const queue = {
    wait: (_: unknown, { look }: Asking) => {
      asked.push(look().why.reason);
      return Promise.resolve(true);
    },
  } as unknown as WaitingQueue;
  const start = {
    question: () => ({}),
    facts: () => Promise.resolve({ branch: null, program: null, mark: left.shift() ?? 'none' }),
  } as unknown as AskedStart;
  const verdict = { kind: 'ask', reason: 'asked', rule: null, proposal: [] };
  const asking = { look: () => ({ verdict, why: { reason: 'asked' } }) } as unknown as Asking;
  expect(await waitAsShown(queue, start, asking)).toBe(true);
  return asked;
}

describe('an approved start', () => {
  it('[AP18] needs one approval when its files stay the same', async () => {
    expect(await reasons('a', 'a')).toEqual(['asked']);
  });

  it('[AP18] needs another approval, as changed, when its files change', async () => {
    expect(await reasons('a', 'b', 'b', 'b')).toEqual(['asked', expect.stringContaining('has changed')]);
  });

  it.each([
    ['before', [UNKNOWN_MARK, 'a', 'a', 'a']],
    ['after', ['a', UNKNOWN_MARK, 'a', 'a']],
  ])(
    '[AP18] is not called changed when its files could not be read in time %s the decision',
    async (_, marks) => {
      const [, again] = await reasons(...marks);
      expect(again).toMatch(/could not be read in time/);
      expect(again).not.toMatch(/changed/);
    },
  );
});
