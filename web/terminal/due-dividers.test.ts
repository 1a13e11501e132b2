// What was done to a process is said where it was done in its output, which comes later than the word of it.
import { expect, it } from 'vitest';
import { DueDividers } from './due-dividers.ts';

function makeDue() {
  const said: string[] = [];
  return { due: new DueDividers((text) => said.push(text)), said };
}

it('says after its event what was told before that came, and at once what was told later', () => {
  const { due, said } = makeDue();
  due.reached(3);
  due.add({ text: 'interrupted', afterSeq: 5 });
  due.add({ text: 'terminated', afterSeq: 6 });
  due.add({ text: 'typed', afterSeq: 3 });
  expect(said).toEqual(['typed']);
  due.reached(4);
  expect(said).toEqual(['typed']);
  due.reached(5);
  expect(said).toEqual(['typed', 'interrupted']);
  due.reached(Number.POSITIVE_INFINITY);
  expect(said).toEqual(['typed', 'interrupted', 'terminated']);
  due.add({ text: 'all ended', afterSeq: 9 });
  expect(said.at(-1)).toBe('all ended');
});

it('keeps so many', () => {
  const { due, said } = makeDue();
  for (let n = 0; n < 1000; n += 1) due.add({ text: `${n}`, afterSeq: 1 });
  due.reached(1);
  expect(said).toEqual(Array.from({ length: 50 }, (_, n) => `${950 + n}`));
});
