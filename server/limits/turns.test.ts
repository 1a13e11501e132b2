// Tests of the queue of work within a budget: a turn that is no longer wanted.
import { expect, it } from 'vitest';
import { Budget } from './budget.ts';
import { Turns } from './turns.ts';

const AGENT = { tokenId: 'agent', role: 'agent' };

it('[LI21] Turns rejects work that is aborted before it could wait', async () => {
  const turns = new Turns(new Budget('turns', { all: 1, perToken: 1, reserve: 0 }));
  const work = turns.inTurn(
    AGENT,
    () => Promise.resolve('has run'),
    AbortSignal.abort(new Error('given up')),
  );
  await expect(work).rejects.toThrow('given up');
});

it('[LI21] Turns drops work that is aborted while it waits, and runs the work behind it', async () => {
  const turns = new Turns(new Budget('turns', { all: 1, perToken: 1, reserve: 0 }));
  let end!: () => void;
  const first = turns.inTurn(AGENT, () => new Promise<void>((resolve) => (end = resolve)));
  const over = new AbortController();
  const second = turns.inTurn(AGENT, () => Promise.reject(new Error('has run')), over.signal);
  const third = turns.inTurn(AGENT, () => Promise.resolve('third'), new AbortController().signal);
  over.abort(new Error('given up'));
  await expect(second).rejects.toThrow('given up');
  end();
  await first;
  expect(await third).toBe('third');
});
