// Tests of the errors of a search in recordings that exceeds its time limit.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HistoryEntry } from '../../protocol/history.ts';
import { segmentName } from '../record/places.ts';
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
