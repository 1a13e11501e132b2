// A search that continues from the lines in memory into the recorded lines.
import { expect, it } from 'vitest';
import type { PaneMatches } from '../../state/processes/searchable.ts';
import { LogLines } from './log-lines.ts';
import { LogSearch } from './log-search.ts';

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
    askPast: (_, before) =>
      Promise.resolve(before === null ? { offsets: [], before: '1' } : { offsets: [50, 20], before: null }),
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
      return asked === 1
        ? Promise.reject(new Error('it takes too long'))
        : Promise.resolve({ offsets: [50], before: null });
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

it('a search by a reader without permission to search ends with the lines in memory', async () => {
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
  await expect.poll(() => matches).toMatchObject({ count: 0, hasMore: false, recorded: undefined });
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
    askPast: () => Promise.resolve({ offsets: [50], before: null }),
  });
  search.find({ text: 'old', isRegex: false, isCaseSensitive: false }, 'up', true);
  search.step();
  expect(revealed).toEqual([]);
  lines.locate({ row: 10, number: 10, isAfterGap: false, open: [] });
  search.step();
  await expect.poll(() => revealed).toEqual([50]);
});
