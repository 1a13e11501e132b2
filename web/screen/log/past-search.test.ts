// A search that goes on from the lines in memory into the recorded ones.
import { expect, it } from 'vitest';
import type { PaneMatches } from '../../state/processes/searchable.ts';
import { LogLines } from './log-lines.ts';
import { LogSearch } from './log-search.ts';

it('a search goes on into recorded lines when no line in memory matches', async () => {
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
