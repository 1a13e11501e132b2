// Acts on a process are marked at their place in the output, which arrives later than their notification.
import { expect, it } from 'vitest';
import { DueDividers } from './due-dividers.ts';

function makeDue() {
  const said: string[] = [];
  const due = new DueDividers(({ text }) => said.push(text));
  const add = (text: string, afterSeq: number, isPast = false): void => due.add({ text, afterSeq, isPast });
  return { due, add, said };
}

it('a divider is shown after its event, or at once when that has already arrived', () => {
  const { due, add, said } = makeDue();
  due.reached(3);
  add('interrupted', 5);
  add('terminated', 6);
  add('typed', 3);
  expect(said).toEqual(['typed']);
  due.reached(4);
  expect(said).toEqual(['typed']);
  due.reached(5);
  expect(said).toEqual(['typed', 'interrupted']);
  due.closed();
  expect(said).toEqual(['typed', 'interrupted', 'terminated']);
  add('all ended', 9);
  expect(said.at(-1)).toBe('all ended');
});

it('a past divider is shown at its place', () => {
  const { due, add, said } = makeDue();
  add('before all', 0, true);
  add('interrupted', 2, true);
  add('all ended', Number.POSITIVE_INFINITY, true);
  expect(said).toEqual(['before all']);
  due.reached(2);
  expect(said).toEqual(['before all', 'interrupted']);
  add('resumed', 2, true);
  expect(said.at(-1)).toBe('resumed');
  due.closed();
  expect(said.slice(3)).toEqual(['all ended']);
});

it('a past divider whose place has passed or is missing is not shown', () => {
  const { due, add, said } = makeDue();
  due.reached(3);
  add('gone by', 2, true);
  add('missing', 7, true);
  add('just now', 7);
  add('where it goes on', 9, true);
  due.missed(9);
  expect(said).toEqual(['just now', 'where it goes on']);
  due.closed();
  expect(said).toHaveLength(2);
});

it('a past divider for an act after the end is shown at the end', () => {
  const { due, add, said } = makeDue();
  due.reached(3);
  due.closed();
  add('gone by', 2, true);
  add('terminated', 4, true);
  expect(said).toEqual(['terminated']);
});

it('the number of waiting dividers is limited', () => {
  const { due, add, said } = makeDue();
  for (let n = 0; n < 1000; n += 1) add(`${n}`, 1);
  due.reached(1);
  expect(said).toEqual(Array.from({ length: 50 }, (_, n) => `${950 + n}`));
});
