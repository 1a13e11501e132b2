// A search that continues from the lines in memory into the recorded lines.
import { describe, expect, it } from 'vitest';
import type { PaneMatches } from '../../state/processes/searchable.ts';
import { LogLines } from './log-lines.ts';
import { LogSearch } from './log-search.ts';
import type { FoundPage } from './past-search.ts';

const page = (offsets: readonly number[], before: string | null = null): FoundPage => ({
  offsets,
  before,
  searchedBytes: 15,
  unreadableBytes: 10,
  totalBytes: 100,
});

it('a search continues into recorded lines when no line in memory matches', async () => {
  const lines = new LogLines(() => undefined);
  lines.gap(100);
  lines.output('stdout', new TextEncoder().encode('in memory\n'), 100, null);
  lines.locate({ row: 10, number: 10, isAfterGap: false, open: [] });
  const revealed: number[] = [];
  let matches: PaneMatches | null = null;
  const search: LogSearch = new LogSearch({
    lines,
    changed: (now) => (matches = now),
    reveal: () => undefined,
    revealPast: (offset) => revealed.push(offset),
    redraw: () => undefined,
    askPast: (_, before) => Promise.resolve(before === null ? page([], '1') : page([50, 20])),
  });
  search.find({ text: 'old', isRegex: false, isCaseSensitive: false }, 'up', true);
  search.step();
  await expect.poll(() => revealed).toEqual([50]);
  expect(matches).toMatchObject({ index: 1, count: 2, hasMore: false });
  search.find({ text: 'old', isRegex: false, isCaseSensitive: false }, 'up');
  expect(revealed).toEqual([50, 20]);
  expect(matches).toMatchObject({ index: 0, count: 2 });
});

it('a search that fails in recorded lines reports that, and continues when it is requested again', async () => {
  const lines = new LogLines(() => undefined);
  lines.gap(100);
  lines.output('stdout', new TextEncoder().encode('in memory\n'), 100, null);
  lines.locate({ row: 10, number: 10, isAfterGap: false, open: [] });
  const states: (string | undefined)[] = [];
  const revealed: number[] = [];
  let asked = 0;
  const search: LogSearch = new LogSearch({
    lines,
    changed: ({ recorded }) => states.push(recorded),
    reveal: () => undefined,
    revealPast: (offset) => revealed.push(offset),
    redraw: () => undefined,
    askPast: () => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('it takes too long')) : Promise.resolve(page([50]));
    },
  });
  search.find({ text: 'old', isRegex: false, isCaseSensitive: false }, 'up', true);
  search.step();
  await expect.poll(() => states).toEqual(['searching', 'failed']);
  search.step();
  expect(asked).toBe(1);
  search.find({ text: 'old', isRegex: false, isCaseSensitive: false }, 'up');
  await expect.poll(() => revealed).toEqual([50]);
  expect(states.at(-1)).toBeUndefined();
});

it('a search by a reader without permission to search ends with the lines in memory, and reports that', async () => {
  const lines = new LogLines(() => undefined);
  lines.gap(100);
  lines.output('stdout', new TextEncoder().encode('in memory\n'), 100, null);
  lines.locate({ row: 10, number: 10, isAfterGap: false, open: [] });
  let matches: PaneMatches | null = null;
  const search: LogSearch = new LogSearch({
    lines,
    changed: (now) => (matches = now),
    reveal: () => undefined,
    revealPast: () => undefined,
    redraw: () => undefined,
    askPast: () => Promise.reject(Object.assign(new Error('not for guests'), { code: -32021 })),
  });
  search.find({ text: 'old', isRegex: false, isCaseSensitive: false }, 'up', true);
  search.step();
  await expect
    .poll(() => matches)
    .toMatchObject({
      count: 0,
      hasMore: false,
      recorded: undefined,
      hasUnsearched: true,
    });
});

it('a search that begins before the recorded lines are counted continues into them afterwards', async () => {
  const lines = new LogLines(() => undefined);
  lines.gap(100);
  lines.output('stdout', new TextEncoder().encode('in memory\n'), 100, null);
  const revealed: number[] = [];
  const search: LogSearch = new LogSearch({
    lines,
    changed: () => undefined,
    reveal: () => undefined,
    revealPast: (offset) => revealed.push(offset),
    redraw: () => undefined,
    askPast: () => Promise.resolve(page([50])),
  });
  search.find({ text: 'old', isRegex: false, isCaseSensitive: false }, 'up', true);
  search.step();
  expect(revealed).toEqual([]);
  lines.locate({ row: 10, number: 10, isAfterGap: false, open: [] });
  search.step();
  await expect.poll(() => revealed).toEqual([50]);
});

describe('A running search of recorded lines', () => {
  interface Asked {
    readonly text: string;
    readonly answer: (found: FoundPage) => void;
  }

  function underWay(text: string) {
    const lines = new LogLines(() => undefined);
    lines.gap(100);
    lines.output('stdout', new TextEncoder().encode('in memory\n'), 100, null);
    lines.locate({ row: 10, number: 10, isAfterGap: false, open: [] });
    const [asked, shares, revealed]: [Asked[], (number | undefined)[], number[]] = [[], [], []];
    const search: LogSearch = new LogSearch({
      lines,
      changed: ({ searched }) => shares.push(searched),
      reveal: () => undefined,
      revealPast: (offset) => revealed.push(offset),
      redraw: () => undefined,
      askPast: (query) => new Promise((answer) => asked.push({ text: query.text, answer })),
    });
    search.find({ text, isRegex: false, isCaseSensitive: false }, 'up', true);
    search.step();
    return { search, asked, shares, revealed };
  }

  it('reports the searched share after each page', async () => {
    const { asked, shares } = underWay('old');
    asked[0]?.answer(page([], '1'));
    await expect.poll(() => asked).toHaveLength(2);
    expect(shares.at(-1)).toBe(0.25);
    asked[1]?.answer(page([], '2'));
    await expect.poll(() => shares.at(-1)).toBe(0.5);
  });

  it('requests no further page once it is cleared', async () => {
    const { search, asked } = underWay('old');
    search.clear();
    asked[0]?.answer(page([], '1'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(1);
  });

  it('is replaced immediately by a search for another text', async () => {
    const { search, asked, revealed } = underWay('old');
    search.find({ text: 'older', isRegex: false, isCaseSensitive: false }, 'up', true);
    search.step();
    expect(asked.map(({ text }) => text)).toEqual(['old', 'older']);
    asked[0]?.answer(page([70]));
    asked[1]?.answer(page([50]));
    await expect.poll(() => revealed).toEqual([50]);
  });
});

it('a search reports that a part of the recorded lines could not be read, until the next search', async () => {
  const lines = new LogLines(() => undefined);
  lines.gap(100);
  lines.output('stdout', new TextEncoder().encode('in memory\n'), 100, null);
  lines.locate({ row: 10, number: 10, isAfterGap: false, open: [] });
  let matches: PaneMatches | null = null;
  const search: LogSearch = new LogSearch({
    lines,
    changed: (now) => (matches = now),
    reveal: () => undefined,
    revealPast: () => undefined,
    redraw: () => undefined,
    askPast: ({ text }, before) =>
      Promise.resolve({
        ...page([], before === null ? '1' : null),
        isComplete: text !== 'old' || before !== null,
      }),
  });
  const find = (text: string): void => {
    search.find({ text, isRegex: false, isCaseSensitive: false }, 'up', true);
    search.step();
  };
  find('old');
  await expect.poll(() => matches).toMatchObject({ count: 0, hasMore: false, hasUnread: true });
  find('other');
  await expect.poll(() => matches).toMatchObject({ count: 0, hasMore: false, hasUnread: undefined });
});
