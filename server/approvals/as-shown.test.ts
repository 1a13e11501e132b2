// The reason that is shown when an approved start needs another approval because its files may have changed.
import { describe, expect, it } from 'vitest';
import { UNKNOWN_MARK } from '../host/sandbox/start-facts.ts';
import { waitAsShown } from './as-shown.ts';
import type { AskedStart } from './start-question.ts';
import type { Asking, WaitingQueue } from './waiting.ts';

/**
 * Returns the reason shown with each requested approval of a start. `marks`: results of its successive checks,
 * each with the mark and, optionally, the places and the folder, separated by spaces.
 */
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
    facts: () => {
      const [mark = 'none', places = '', realFolder = null] = left.shift()?.split(' ') ?? [];
      return Promise.resolve({ branch: null, program: null, mark, places, realFolder, folder: null });
    },
  } as unknown as AskedStart;
  const verdict = { kind: 'ask', reason: 'asked', rule: null, proposal: [] };
  const peer = { connection: { isEnding: false } };
  const asking = { peer, look: () => ({ verdict, why: { reason: 'asked' } }) } as unknown as Asking;
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
    ['its folder', ['a one /one', 'a two /two', 'a two /two', 'a two /two']],
    ['a path of its program or sandbox', ['a one', 'a two', 'a two', 'a two']],
  ])('[AP18] needs another approval when %s leads elsewhere', async (what, marks) => {
    const reason = `${what} leads to a different file or folder than when approval was requested`;
    expect(await reasons(...marks)).toEqual(['asked', reason]);
  });

  it('[AP18] needs another approval, which states so, when its files could not be read at all', async () => {
    const unknown = Array<string>(4).fill(UNKNOWN_MARK);
    expect(await reasons(...unknown)).toEqual([
      'asked',
      expect.stringContaining('could not be read in time'),
    ]);
  });

  it.each([
    ['before', [UNKNOWN_MARK, 'a', 'a', 'a']],
    ['after', ['a', UNKNOWN_MARK, 'a', 'a']],
  ])(
    '[AP18] is not reported as changed when its files could not be read in time %s the decision',
    async (_, marks) => {
      const [, again] = await reasons(...marks);
      expect(again).toMatch(/could not be read in time/);
      expect(again).not.toMatch(/changed/);
    },
  );
});
