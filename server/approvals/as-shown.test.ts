// The reason that is shown when an approved start needs another approval because its files may have changed, or a pause
// has begun.
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../protocol/approvals.ts';
import { UNKNOWN_MARK, type StartFacts } from '../host/sandbox/start-facts.ts';
import { goOnAsShown, waitAsShown } from './as-shown.ts';
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
  const asking = {
    peer,
    look: () => ({ verdict, why: { reason: 'asked', pause: null } }),
  } as unknown as Asking;
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

describe('while the files of an approved start are read again', () => {
  type Look = ReturnType<Asking['look']>;
  const ask = (pause: string | null): Look =>
    ({ verdict: { kind: 'ask' }, why: { pause, reason: pause ?? 'asked' } }) as unknown as Look;
  const run = { verdict: { kind: 'run' }, why: { pause: null } } as unknown as Look;
  const refuse = {
    verdict: { kind: 'refuse', reason: 'forbidden' },
    why: { pause: null },
  } as unknown as Look;

  /**
   * Requests a start: `before` applies until its files have been read again, then `then`. Returns the reason of
   * each requested approval.
   */
  async function asked(
    how: 'accepted' | 'released' | 'granted',
    before: Look,
    then: Look,
  ): Promise<string[]> {
    const reasons: string[] = [];
    let now = before;
    const queue = {
      wait: (_: unknown, { look, over }: Asking) => {
        reasons.push(look().why.reason);
        over?.({ pause: look().why.pause } as Approval);
        const isReleased = how === 'released' && reasons.length === 1;
        if (isReleased) now = run;
        return Promise.resolve(!isReleased);
      },
    } as unknown as WaitingQueue;
    const facts = { mark: 'a', places: '', realFolder: null } as StartFacts;
    const start = {
      question: () => ({}),
      facts: (_: unknown, isFresh: boolean) => {
        if (isFresh) now = then;
        return Promise.resolve(facts);
      },
    } as unknown as AskedStart;
    const asking = { peer: { connection: { isEnding: false } }, look: () => now } as unknown as Asking;
    if (how === 'granted') await goOnAsShown(queue, start, asking, { facts });
    else await waitAsShown(queue, start, asking);
    return reasons;
  }

  it.each([
    ['accepted', null, ['asked', 'new']],
    ['accepted', 'old', ['old', 'new']],
    ['granted', null, ['new']],
    ['released', 'old', ['old', 'new']],
  ] as const)(
    '[AP11] [AP24] a pause that begins holds a start that was %s under the pause %s',
    async (how, pause, all) => {
      expect(await asked(how, ask(pause), ask('new'))).toEqual(all);
    },
  );

  it.each(['accepted', 'released', 'granted'] as const)(
    '[RL8] [AP24] a rule that forbids refuses a start that was %s',
    async (how) => {
      await expect(asked(how, ask(null), refuse)).rejects.toThrow('forbidden');
    },
  );

  it('[AP10] a policy that asks holds a start that was released, and not one that was accepted', async () => {
    expect(await asked('released', ask(null), ask(null))).toEqual(['asked', 'asked']);
    expect(await asked('accepted', ask(null), ask(null))).toEqual(['asked']);
  });

  it.each([true, false])(
    '[AP3] [AP19] a start that was released is approved if an equal one was approved for the session (%s)',
    async (isCached) => {
      const queue = { wait: () => Promise.resolve(false) } as unknown as WaitingQueue;
      const start = {
        question: () => ({}),
        facts: () => Promise.resolve({ mark: 'a', places: '', realFolder: null }),
      } as unknown as AskedStart;
      const asking = {
        peer: { connection: { isEnding: false } },
        look: () => ({ ...run, isCached }),
      } as unknown as Asking;
      expect(await waitAsShown(queue, start, asking)).toBe(isCached);
    },
  );

  it('[AP11] a pause under which a start was accepted does not hold it', async () => {
    expect(await asked('accepted', ask('old'), ask('old'))).toEqual(['old']);
  });
});
