// Tests of a search in recordings: its pages, and its errors beyond the time limit.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HistoryEntry } from '../../protocol/history.ts';
import { segmentName } from '../record/places.ts';
import type { LineCount } from './line-count.ts';
import type { SegmentTask } from './match-segment.ts';
import { HistorySearch, SearchRefused, type Searched } from './search.ts';
import { TaskTimeout, type HistoryTasks } from './tasks.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'search-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  [true, SearchRefused, 'the expression took more than 2s for a few megabytes; use a simpler one'],
  [false, TaskTimeout, 'more than 2s'],
])(
  'HistorySearch refuses a slow expression, and never plain text (regex: %s)',
  async (isRegex, type, message) => {
    const path = join(folder, segmentName(1));
    writeFileSync(path, '');
    const tasks = { ask: () => Promise.reject(new TaskTimeout('more than 2s')) } as unknown as HistoryTasks;
    const entry = { key: 'k' } as HistoryEntry;
    const searched = new HistorySearch(tasks).search(
      { entry, folder, segment: null, line: null },
      { text: 'a', isRegex, isCaseSensitive: false },
      { isRedacted: false, isOver: () => false, limit: 1 },
    );
    await expect(searched).rejects.toBeInstanceOf(type);
    await expect(searched).rejects.toThrow(message);
  },
);

it('[HS9] HistorySearch finds each line once when segments are removed between its pages', async () => {
  const paths = [1, 2, 3, 4, 5].map((number) => join(folder, segmentName(number)));
  for (const path of paths) writeFileSync(path, '');
  const ask = (kind: string, task: unknown): Promise<unknown> => {
    if (kind === 'count') return Promise.resolve({ start: 0, end: 1, lines: 1, hasGap: false });
    const { path } = task as SegmentTask;
    return Promise.resolve({
      hits: [{ linesBefore: 0, text: basename(path) }],
      bytes: 1,
      isCut: false,
      isRead: true,
    });
  };
  const search = new HistorySearch({ ask } as unknown as HistoryTasks);
  const found: string[] = [];
  let segment: number | null = null;
  do {
    const candidate = { entry: { key: 'k' } as HistoryEntry, folder, segment, line: null };
    const query = { text: 'a', isRegex: false, isCaseSensitive: false };
    const page = await search.search(candidate, query, { isRedacted: false, isOver: () => false, limit: 1 });
    found.push(...page.hits.map(({ text }) => text));
    segment = page.left?.segment ?? null;
    // The second page follows the removal of the oldest two segments.
    for (const path of paths.splice(0, 2)) rmSync(path);
    paths.length = 0;
  } while (segment !== null);
  expect(found).toEqual([5, 4, 3].map(segmentName));
});

it('[HS9] HistorySearch counts a segment whose hits take several pages once, on the first of them', async () => {
  for (const number of [1, 2]) writeFileSync(join(folder, segmentName(number)), '');
  const ask = (kind: string, task: unknown): Promise<unknown> => {
    if (kind === 'count') return Promise.resolve({ start: 0, end: 1, lines: 1, hasGap: false });
    const linesBefore = ((task as SegmentTask).beforeLine ?? 3) - 1;
    const hits = [{ linesBefore, linesAfterGap: null, text: 'a' }];
    return Promise.resolve({ hits, start: 0, bytes: 10, isCut: linesBefore > 0, isRead: true });
  };
  const search = new HistorySearch({ ask } as unknown as HistoryTasks);
  const query = { text: 'a', isRegex: false, isCaseSensitive: false };
  const options = { isRedacted: false, isOver: () => false, limit: 1 };
  const pages: number[] = [];
  let left: Searched['left'] = { segment: null, line: null };
  while (left) {
    const page: Searched = await search.search(
      { entry: { key: 'k' } as HistoryEntry, folder, ...left },
      query,
      options,
    );
    pages.push(page.searchedBytes);
    ({ left } = page);
  }
  expect(pages).toEqual([10, 0, 0, 10, 0, 0]);
});

it('[HS6] [HS9] HistorySearch goes on after a segment that cannot be read, and counts lines from there', async () => {
  const paths = [1, 2, 3].map((number) => join(folder, segmentName(number)));
  for (const path of paths) writeFileSync(path, '');
  const counts: (LineCount | null)[] = [];
  const ask = (kind: string, task: unknown): Promise<unknown> => {
    if (kind === 'count') return Promise.resolve(counts.shift());
    const isRead = (task as SegmentTask).path !== paths[1];
    const hits = isRead ? [{ linesBefore: 0, linesAfterGap: null, text: 'a' }] : [];
    const start = (task as SegmentTask).path === paths[0] ? 0 : 20;
    return Promise.resolve({ hits, start, bytes: 1, isCut: false, isRead });
  };
  const search = new HistorySearch({ ask } as unknown as HistoryTasks);
  const query = { text: 'a', isRegex: false, isCaseSensitive: false };
  const options = { isRedacted: false, isOver: () => false, limit: 10 };
  const entry = { key: 'k' } as HistoryEntry;
  const found = () => search.search({ entry, folder, segment: null, line: null }, query, options);
  counts.push({ start: 0, end: 10, lines: 5, hasGap: false }, null);
  expect(await found()).toMatchObject({
    hits: [{ line: 1, isAfterGap: true }, { line: 1 }],
    searchedBytes: 2,
    isComplete: false,
  });
  // The lines are counted once they can be read.
  counts.push({ start: 10, end: 20, lines: 7, hasGap: false });
  const { hits } = await found();
  expect(hits.map(({ line, isAfterGap = false }) => [line, isAfterGap])).toEqual([
    [13, false],
    [1, false],
  ]);
});

it('[HS6] HistorySearch skips a recording whose folder cannot be read', async () => {
  const unreadable = join(folder, 'loop');
  symlinkSync(unreadable, unreadable);
  const search = new HistorySearch({} as HistoryTasks);
  const entry = { key: 'k' } as HistoryEntry;
  const candidate = { entry, folder: unreadable, segment: null, line: null };
  const query = { text: 'a', isRegex: false, isCaseSensitive: false };
  expect(await search.search(candidate, query, { isRedacted: false, isOver: () => false, limit: 1 })).toEqual(
    {
      hits: [],
      searchedBytes: 0,
      isComplete: false,
      left: null,
    },
  );
});
