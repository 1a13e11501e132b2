// Tests of the order in which updates of printing processes are sent.
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

let sent: string[][];
let inSight: Named[] | null;
let printed: Printed<Named, Reader<Named>>;
const reader: Reader<Named> = { inSight: () => inSight };

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  inSight = [];
  printed = new Printed(LIMITS, (turn) => {
    const names = turn.get(reader)?.map(({ name }) => name);
    if (names) sent.push(names);
  });
  printed.add(reader);
});
afterEach(() => vi.useRealTimers());

const print = (...named: readonly (Named | undefined)[]): void => {
  for (const each of named) if (each) printed.note(each);
};
const look = (at: Named[] | null): void => {
  inSight = at;
  printed.looked(reader);
};
const turns = (count: number): void => {
  vi.advanceTimersByTime(count * LIMITS.changedLaterMs);
};

describe('Printed', () => {
  it('[CO13] sends a limited number at once, the longest waiting first, and each in turn', () => {
    for (let second = 0; second < 5; second += 1) {
      print(a, b, c, d, e);
      turns(1);
    }
    expect(sent).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'a'],
      ['b', 'c'],
      ['d', 'a'],
    ]);
  });
  it('[CO13] sends visible processes out of turn, once for each time that they printed', () => {
    inSight = [e];
    print(a, b, c, d, e);
    turns(2);
    expect(sent).toEqual([
      ['a', 'b', 'e'],
      ['c', 'd'],
    ]);
    print(e);
    turns(2);
    // A process that all readers get in the shared turn is not sent again out of turn.
    expect(sent.slice(2)).toEqual([['e']]);
    print(a, b, c, d, e);
    turns(1);
    print(e);
    turns(1);
    expect(sent.slice(3)).toEqual([
      ['a', 'b', 'e'],
      ['c', 'd', 'e'],
    ]);
  });
  it('[CO13] limits the number of visible processes too', () => {
    inSight = [c, d, e];
    print(a, b, c, d, e);
    turns(1);
    expect(sent).toEqual([['a', 'b', 'c', 'd']]);
  });
  it('[CO13] continues where it stopped when more processes are visible than are sent at once', () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ name: String(n) }));
    inSight = many.slice(-6);
    for (let second = 0; second < 9; second += 1) {
      print(...many);
      turns(1);
    }
    // The two processes sent in the shared turn are left out.
    const names = inSight.map(({ name }) => name);
    const [one, two, three] = [names.slice(0, 2), names.slice(2, 4), names.slice(4)];
    expect(sent.map((turn) => turn.slice(2))).toEqual([one, two, three, one, two, three, one, two, three]);
  });
  it('sends no process twice, and none that was sent as a whole object or is gone', () => {
    print(a, a, b);
    printed.settled(b);
    turns(5);
    expect(sent).toEqual([['a']]);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('[CO15] stops while no reader is looking, and afterwards sends the processes that printed in that time', () => {
    look(null);
    print(a, b, c);
    expect(vi.getTimerCount()).toBe(0);
    look([]);
    turns(2);
    expect(sent).toEqual([[], ['a', 'b'], ['c']]);
  });
  it('[CO15] sends a reader that is shown again the processes that others were sent while it was hidden', () => {
    const other: Reader<Named> = { inSight: () => [] };
    printed.add(other);
    look(null);
    print(a, b, c, d);
    turns(2);
    printed.settled(d);
    expect(sent).toEqual([]);
    look([]);
    turns(2);
    expect(sent).toEqual([[], ['a', 'b'], ['c']]);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('[CO15] sends the visible processes at once to a reader that is shown again, and to no other', () => {
    const others: string[] = [];
    const other: Reader<Named> = { inSight: () => [] };
    printed = new Printed(LIMITS, (turn) => {
      for (const [who, named] of turn) {
        const names = named.map(({ name }) => name);
        if (who === reader) sent.push(names);
        else others.push(...names);
      }
    });
    for (const each of [reader, other]) printed.add(each);
    look(null);
    print(a, b, c);
    turns(1);
    print(d);
    look([b, d, e]);
    expect([sent, others]).toEqual([[['b', 'd']], ['a', 'b']]);
    look([a, b, c, d]);
    expect(sent).toHaveLength(1);
    turns(1);
    // Updates that the reader already has are not sent out of turn again; `d` comes with the shared turn.
    expect(sent.slice(1)).toEqual([['c', 'd', 'a']]);
  });
  it('stops when the last reader is removed', () => {
    print(a);
    printed.delete(reader);
    expect(vi.getTimerCount()).toBe(0);
  });
});
