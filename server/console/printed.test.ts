// Whose turn it is to be told of, whatever prints.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Printed, type Reader } from './printed.ts';

interface Named {
  readonly name: string;
}

const LIMITS = { changedLaterMs: 1000, printedAtOnce: 2 };
const [a, b, c, d, e]: Named[] = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })) as [
  Named,
  Named,
  Named,
  Named,
  Named,
];

let told: string[][];
let inSight: Named[] | null;
let printed: Printed<Named, Reader<Named>>;
const reader: Reader<Named> = { inSight: () => inSight };

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  inSight = [];
  printed = new Printed(LIMITS, (turn) => {
    const names = turn.get(reader)?.map(({ name }) => name);
    if (names) told.push(names);
  });
  printed.add(reader);
});
afterEach(() => vi.useRealTimers());

const print = (...named: readonly (Named | undefined)[]): void => {
  for (const each of named) if (each) printed.note(each);
};
const turns = (count: number): void => {
  vi.advanceTimersByTime(count * LIMITS.changedLaterMs);
};

describe('Printed', () => {
  it('[CO13] tells so many at once, what waits longest first, and each in its turn while all go on printing', () => {
    for (let second = 0; second < 5; second += 1) {
      print(a, b, c, d, e);
      turns(1);
    }
    expect(told).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'a'],
      ['b', 'c'],
      ['d', 'a'],
    ]);
  });
  it('[CO13] tells what is in sight without its turn, once for each time it printed', () => {
    inSight = [e];
    print(a, b, c, d, e);
    turns(2);
    expect(told).toEqual([
      ['a', 'b', 'e'],
      ['c', 'd'],
    ]);
    print(e);
    turns(2);
    // The turn in which it is told to all is a turn for all of it.
    expect(told.slice(2)).toEqual([['e']]);
    print(a, b, c, d, e);
    turns(1);
    print(e);
    turns(1);
    expect(told.slice(3)).toEqual([
      ['a', 'b', 'e'],
      ['c', 'd', 'e'],
    ]);
  });
  it('[CO13] bounds what is in sight as well', () => {
    inSight = [c, d, e];
    print(a, b, c, d, e);
    turns(1);
    expect(told).toEqual([['a', 'b', 'c', 'd']]);
  });
  it('tells nothing twice, and nothing that was told whole or is gone', () => {
    print(a, a, b);
    printed.settled(b);
    turns(5);
    expect(told).toEqual([['a']]);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('[CO15] takes no turns while nobody looks, and goes on with what printed when somebody does', () => {
    inSight = null;
    print(a, b, c);
    expect(vi.getTimerCount()).toBe(0);
    inSight = [];
    printed.looked(reader);
    turns(2);
    expect(told).toEqual([['a', 'b'], ['c']]);
  });
  it('[CO15] tells one that looks again what others were told meanwhile', () => {
    const other: Reader<Named> = { inSight: () => [] };
    printed.add(other);
    inSight = null;
    print(a, b, c, d);
    turns(2);
    printed.settled(d);
    expect(told).toEqual([]);
    inSight = [];
    printed.looked(reader);
    turns(2);
    expect(told).toEqual([['a', 'b'], ['c']]);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('stops when nobody is there', () => {
    print(a);
    printed.delete(reader);
    expect(vi.getTimerCount()).toBe(0);
  });
});
