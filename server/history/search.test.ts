// Tests of a search in recordings: its pages, their order and counts, and errors beyond the time limit.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HistoryHit } from '../../protocol/history.ts';
import { segmentName } from '../record/places.ts';
import type { LineCount } from './line-count.ts';
import type { SegmentTask } from './match-segment.ts';
import { RecordingSearch, type SearchCount } from './recording-search.ts';
import { SearchRefused, SegmentSearch } from './segment-search.ts';
import { TaskTimeout, type HistoryTasks } from './tasks.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'search-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const PLAIN = { text: 'a', isRegex: false, isCaseSensitive: false };
const ALL = { key: 'k', endMs: Number.POSITIVE_INFINITY, segment: null, line: null };
const FOUND = { start: 0, fromMs: 0, bytes: 1, unreadBytes: 0, isCut: false, isRead: true };

const segmentsWith = (ask: (kind: string, task: unknown) => Promise<unknown>): SegmentSearch =>
  new SegmentSearch({ ask } as unknown as HistoryTasks);

interface Page {
  readonly hits: HistoryHit[];
  readonly counts: SearchCount[];
  readonly search: RecordingSearch;
}

/** Searches a recording on one page until it has `limit` hits. */
async function page(segments: SegmentSearch, from: RecordingSearch['left'], limit: number): Promise<Page> {
  const counts: SearchCount[] = [];
  const search = new RecordingSearch(segments, from, (count) => counts.push(count));
  const hits: HistoryHit[] = [];
  while (!search.isDone && hits.length < limit) {
    if (search.newest) hits.push(...search.take());
    else await search.read({ query: PLAIN, isRedacted: false, limit }, 7);
  }
  return { hits, counts, search };
}

it.each([
  [true, SearchRefused, 'the expression took more than 2s for a few megabytes; use a simpler one'],
  [false, TaskTimeout, 'more than 2s'],
])(
  'SegmentSearch refuses a slow expression, and never plain text (regex: %s)',
  async (isRegex, type, message) => {
    const segments = segmentsWith(() => Promise.reject(new TaskTimeout('more than 2s')));
    const asked = { key: 'k', query: { ...PLAIN, isRegex }, isRedacted: false, limit: 1, beforeLine: null };
    const searched = segments.search([join(folder, segmentName(1))], 0, asked);
    await expect(searched).rejects.toBeInstanceOf(type);
    await expect(searched).rejects.toThrow(message);
  },
);

it('[HS9] RecordingSearch finds each line once when segments are removed between its pages', async () => {
  const paths = [1, 2, 3, 4, 5].map((number) => join(folder, segmentName(number)));
  for (const path of paths) writeFileSync(path, '');
  const segments = segmentsWith((kind, task) =>
    Promise.resolve(
      kind === 'count'
        ? { start: 0, end: 1, lines: 1, hasGap: false }
        : { ...FOUND, hits: [{ linesBefore: 0, text: basename((task as SegmentTask).path) }] },
    ),
  );
  const found: string[] = [];
  let from: RecordingSearch['left'] | null = { ...ALL, folder };
  while (from) {
    const { hits, search }: Page = await page(segments, from, 1);
    found.push(...hits.map(({ text }) => text));
    from = search.isDone ? null : search.left;
    // The second page follows the removal of the oldest two segments.
    for (const path of paths.splice(0, 2)) rmSync(path);
    paths.length = 0;
  }
  expect(found).toEqual([5, 4, 3].map(segmentName));
});

it('[HS9] RecordingSearch counts a segment whose hits take several pages once, on the first of them', async () => {
  for (const number of [1, 2]) writeFileSync(join(folder, segmentName(number)), '');
  const segments = segmentsWith((kind, task) => {
    if (kind === 'count') return Promise.resolve({ start: 0, end: 1, lines: 1, hasGap: false });
    const linesBefore = ((task as SegmentTask).beforeLine ?? 3) - 1;
    const hits = [{ linesBefore, linesAfterGap: null, text: 'a' }];
    return Promise.resolve({ ...FOUND, hits, bytes: 10, isCut: linesBefore > 0 });
  });
  const pages: number[] = [];
  let from: RecordingSearch['left'] | null = { ...ALL, folder };
  while (from) {
    const { counts, search }: Page = await page(segments, from, 1);
    pages.push(counts.reduce((sum, { searched }) => sum + searched, 0));
    from = search.isDone ? null : search.left;
  }
  expect(pages).toEqual([10, 0, 0, 10, 0, 0]);
});

it('[HS9] RecordingSearch does not count a segment until its first hit is taken', async () => {
  writeFileSync(join(folder, segmentName(1)), '');
  const hits = [{ linesBefore: 1, linesAfterGap: null, text: 'a', atMs: 5 }];
  const counts: SearchCount[] = [];
  const segments = segmentsWith((kind) =>
    Promise.resolve(kind === 'count' ? null : { ...FOUND, fromMs: 2, hits }),
  );
  const search = new RecordingSearch(segments, { ...ALL, folder }, (count) => counts.push(count));
  await search.read({ query: PLAIN, isRedacted: false, limit: 1 }, 7);
  expect(counts).toEqual([]);
  // The next page would read the segment again, whose hit may be the newest of all.
  expect(search.left).toMatchObject({ segment: null, line: null, endMs: 5 });
  search.take();
  expect(counts).toEqual([{ searched: 1, unreadable: 0 }]);
  expect(search.isDone).toBe(true);
});

it('[HS6] [HS9] RecordingSearch goes on after a segment that cannot be read, and counts lines from there', async () => {
  const paths = [1, 2, 3].map((number) => join(folder, segmentName(number)));
  for (const path of paths) writeFileSync(path, '');
  const lineCounts: (LineCount | null)[] = [];
  const segments = segmentsWith((kind, task) => {
    if (kind === 'count') return Promise.resolve(lineCounts.shift());
    const isRead = (task as SegmentTask).path !== paths[1];
    const hits = isRead ? [{ linesBefore: 0, linesAfterGap: null, text: 'a' }] : [];
    const start = (task as SegmentTask).path === paths[0] ? 0 : 20;
    const size = isRead ? { bytes: 1 } : { bytes: 0, unreadBytes: 4 };
    return Promise.resolve({ ...FOUND, hits, start, ...size, isRead });
  });
  lineCounts.push({ start: 0, end: 10, lines: 5, hasGap: false }, null);
  const { hits, counts, search } = await page(segments, { ...ALL, folder }, 10);
  expect(hits).toMatchObject([{ line: 1, isAfterGap: true }, { line: 1 }]);
  expect(counts.filter(({ searched, unreadable }) => searched + unreadable > 0)).toEqual([
    { searched: 1, unreadable: 0 },
    { searched: 0, unreadable: 4 },
    { searched: 1, unreadable: 0 },
  ]);
  expect(search.isComplete).toBe(false);
  // The lines are counted once they can be read.
  lineCounts.push({ start: 10, end: 20, lines: 7, hasGap: false });
  const again = await page(segments, { ...ALL, folder }, 10);
  expect(again.hits.map(({ line, isAfterGap = false }) => [line, isAfterGap])).toEqual([
    [13, false],
    [1, false],
  ]);
});

it('[HS6] RecordingSearch skips a recording whose folder cannot be read, and counts its size', async () => {
  const unreadable = join(folder, 'loop');
  symlinkSync(unreadable, unreadable);
  const segments = segmentsWith(() => Promise.reject(new Error('never asked')));
  const { hits, counts, search } = await page(segments, { ...ALL, folder: unreadable }, 1);
  expect([hits, counts]).toEqual([[], [{ searched: 0, unreadable: 7 }]]);
  expect(search.isComplete).toBe(false);
});
