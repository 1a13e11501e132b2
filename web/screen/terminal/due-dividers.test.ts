// Acts on a process are marked at their place in the output, even if the output arrives after the report of the act.
import { expect, it } from 'vitest';
import { DueDividers } from './due-dividers.ts';

function makeDue() {
  const added: string[] = [];
  const due = new DueDividers(({ text }) => added.push(text));
  const add = (text: string, afterSeq: number, isPast = false): void => due.add({ text, afterSeq, isPast });
  return { due, add, added };
}

it('a marker is shown after its event, or immediately when that has already arrived', () => {
  const { due, add, added } = makeDue();
  due.reached(3);
  add('interrupted', 5);
  add('terminated', 6);
  add('typed', 3);
  expect(added).toEqual(['typed']);
  due.reached(4);
  expect(added).toEqual(['typed']);
  due.reached(5);
  expect(added).toEqual(['typed', 'interrupted']);
  due.closed();
  expect(added).toEqual(['typed', 'interrupted', 'terminated']);
  add('everything ended', 9);
  expect(added.at(-1)).toBe('everything ended');
});

it('a past marker is shown at its place', () => {
  const { due, add, added } = makeDue();
  add('before all', 0, true);
  add('interrupted', 2, true);
  add('everything ended', Number.POSITIVE_INFINITY, true);
  expect(added).toEqual(['before all']);
  due.reached(2);
  expect(added).toEqual(['before all', 'interrupted']);
  add('resumed', 2, true);
  expect(added.at(-1)).toBe('resumed');
  due.closed();
  expect(added.slice(3)).toEqual(['everything ended']);
});

it('a past marker whose place has passed or is missing is not shown', () => {
  const { due, add, added } = makeDue();
  due.reached(3);
  add('gone by', 2, true);
  add('missing', 7, true);
  add('just now', 7);
  add('where it goes on', 9, true);
  due.missed(9);
  expect(added).toEqual(['just now', 'where it goes on']);
  due.closed();
  expect(added).toHaveLength(2);
});

it('a past marker for an act after the end is shown at the end', () => {
  const { due, add, added } = makeDue();
  due.reached(3);
  due.closed();
  add('gone by', 2, true);
  add('terminated', 4, true);
  expect(added).toEqual(['terminated']);
});

it('the number of waiting markers is limited', () => {
  const { due, add, added } = makeDue();
  for (let n = 0; n < 1000; n += 1) add(`${n}`, 1);
  due.reached(1);
  expect(added).toEqual(Array.from({ length: 50 }, (_, n) => `${950 + n}`));
});
