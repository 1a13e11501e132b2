// Tests of the order of lines that a search of the history has found.
import { expect, it } from 'vitest';
import type { HistoryEntry, HistoryHit } from '../../../protocol/history.ts';
import { linesOfHistory, runsOfHits } from './found-lines.ts';

const hit = (key: string, atMs: number): HistoryHit => ({
  key,
  atMs,
  line: 1,
  text: 'a',
  start: 0,
  end: 1,
  offset: atMs,
  seq: 1,
});

it('The hits of two processes that ran at the same time are listed newest first, in runs of one process', () => {
  const entries = ['one', 'other'].map((key) => ({ key }) as HistoryEntry);
  const hits = [hit('other', 9), hit('other', 8), hit('one', 7), hit('unknown', 6), hit('other', 5)];
  expect(runsOfHits(entries, hits).map((run) => [run.entry.key, run.hits.map(({ atMs }) => atMs)])).toEqual([
    ['other', [9, 8]],
    ['one', [7]],
    ['other', [5]],
  ]);
  expect(linesOfHistory(entries, hits).map(({ atMs }) => atMs)).toEqual([9, 8, 7, 5]);
});
