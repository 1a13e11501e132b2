// Tests of the share of one token in a common resource, and of the reserve for operators: rule LI18.
import { expect, it } from 'vitest';
import { Budget, divided } from './budget.ts';
import { Turns } from './turns.ts';

const agent = { tokenId: 'agent', role: 'agent' };
const other = { tokenId: 'other', role: 'agent' };
const third = { tokenId: 'third', role: 'agent' };
const operator = { tokenId: 'operator', role: 'operator' };

it('[LI18] Budget grants at most half to one token and nine tenths to non-operators, and reuses returned amounts', () => {
  const budget = new Budget('things', divided(20));
  const back = budget.take(agent, 10);
  expect(budget.whyNot(agent)).toBe('this token may have at most 10 things at a time and has 10');
  expect(budget.whyNot(other, 8)).toBeNull();
  budget.take(other, 8);
  expect(budget.whyNot(third)).toBe(
    'all tokens together may have at most 18 things at a time and have 18; 2 more are reserved for operators and admins',
  );
  expect(budget.whyNot(operator, 2)).toBeNull();
  expect(budget.whyNot(operator, 3)).toBe(
    'all tokens together may have at most 20 things at a time and have 18 (requested: 3 more)',
  );
  back();
  back();
  expect(budget.whyNot(third, 10)).toBeNull();
});

it('[LI18] Budget counts all guests of one share as one', () => {
  const budget = new Budget('things', divided(20));
  const guest = (tokenId: string) => ({ tokenId, role: 'observer', share: { id: 'share' } });
  budget.take(guest('one'), 10);
  expect(budget.whyNot(guest('two'))).toBe(
    'the guests of this share together may have at most 10 things at a time and have 10',
  );
});

it('[LI18] Budget does not divide a small amount', () => {
  const budget = new Budget('things', divided(4));
  expect(budget.whyNot(agent, 4)).toBeNull();
});

it('[LI18] Turns delay a token only for its own work, and begin in order', async () => {
  const turns = new Turns(new Budget('turns', { all: 3, perToken: 2, reserve: 0 }));
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((resolve) => ends.push(resolve));
  };
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => turns.inTurn(agent, work(name)));
  const others = turns.inTurn(other, work('b1'));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  ends[0]?.();
  await all[0];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  const failed = turns.inTurn(other, () => Promise.reject(new Error('no')));
  ends[2]?.();
  await others;
  await expect(failed).rejects.toThrow('no');
  for (const end of ends) end();
  await all[2];
  for (const end of ends) end();
  await Promise.all(all.slice(0, 3));
  await new Promise(setImmediate);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});
