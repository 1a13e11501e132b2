// Tests of a search in recordings: its pages, and its errors beyond the time limit.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HistoryEntry } from '../../protocol/history.ts';
import { segmentName } from '../record/places.ts';
import type { SegmentTask } from './match-segment.ts';
import { HistorySearch, SearchRefused } from './search.ts';
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
    if (kind === 'count') return Promise.resolve(1);
    const { path } = task as SegmentTask;
    return Promise.resolve({ hits: [{ linesBefore: 0, text: basename(path) }], bytes: 1, isCut: false });
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
