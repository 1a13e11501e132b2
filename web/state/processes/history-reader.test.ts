// The reader of the history: its pages, as lists and searches request them.
import { expect, it } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { HistoryReader } from './history-reader.ts';
import { NO_QUERY } from './search-query.ts';

const PAGES = 4;

/**
 * Returns a `request` that answers with `PAGES` pages without entries, and the params of its calls. `more`: further
 * members of each page of a search.
 */
function paged(more: object = {}) {
  const asked: object[] = [];
  const request = (method: string, params: object): Promise<never> => {
    asked.push(params);
    const before = asked.length < PAGES ? String(asked.length) : null;
    const page =
      method === 'console/history'
        ? { processes: [] }
        : { hits: [], processes: [], searchedBytes: 0.75, unreadableBytes: 0.25, totalBytes: PAGES, ...more };
    return Promise.resolve({ ...page, before } as never);
  };
  return { asked, request };
}

it('a listener that asks for more as soon as a page has arrived gets all pages', async () => {
  const { asked, request } = paged();
  const reader = new HistoryReader(request, {}, NO_QUERY);
  reader.subscribe(() => {
    const { isReading, hasMore } = reader.current();
    if (!isReading && hasMore) void reader.more();
  });
  await reader.more();
  await expect.poll(() => reader.current().hasMore).toBe(false);
  expect(asked).toHaveLength(PAGES);
});

it('two requests for more at once read one page', async () => {
  const { asked, request } = paged();
  const reader = new HistoryReader(request, {}, NO_QUERY);
  await Promise.all([reader.more(), reader.more()]);
  expect(asked).toHaveLength(1);
});

it('a search passes its filter and its query, and continues where it was stopped', async () => {
  const { asked, request } = paged();
  const query = { text: 'x+', isRegex: true, isCaseSensitive: false };
  const reader = new HistoryReader(request, { folder: '/srv', failed: true }, query);
  const stopped = reader.more();
  reader.stop();
  await stopped;
  expect(reader.current()).toMatchObject({ searched: 0, hasMore: true, isReading: false });
  await reader.more();
  expect(asked[1]).toEqual({ folder: '/srv', failed: true, query: 'x+', regex: true, caseSensitive: false });
  expect(reader.current()).toMatchObject({ searched: 1, hasMore: false });
});

it('a reader recognizes an equal filter and query', () => {
  const reader = new HistoryReader(paged().request, { agent: 'codex' }, NO_QUERY);
  expect(reader.reads({ agent: 'codex' }, { ...NO_QUERY })).toBe(true);
  expect(reader.reads({ agent: 'claude' }, NO_QUERY)).toBe(false);
  expect(reader.reads({ agent: 'codex' }, { ...NO_QUERY, text: 'x' })).toBe(false);
});

it.each([
  [{}, true],
  [{ isComplete: false }, false],
])('a search with pages of %j is complete: %s', async (more, isComplete) => {
  const { request } = paged(more);
  const reader = new HistoryReader(request, {}, { text: 'x', isRegex: false, isCaseSensitive: false });
  await reader.more();
  expect(reader.current()).toMatchObject({ searched: 1, isComplete });
});

it('a reader drops processes of removed recordings, also from a page that was in flight', async () => {
  const entry = (key: string): object => ({ ...processInfo({ key }), recordedBytes: 1, clientName: 'codex' });
  const pages = [['a', 'b'], ['c', 'd'], ['e']].map((keys) => keys.map(entry));
  const request = (): Promise<never> =>
    Promise.resolve({ processes: pages.shift() ?? [], before: String(pages.length) } as never);
  const reader = new HistoryReader(request, {}, NO_QUERY);
  const keys = (): string[] => reader.current().entries.map(({ key }) => key);
  await reader.more();
  const inFlight = reader.more();
  reader.drop({ recordings: [{ key: 'a' }, { key: 'c' }], isComplete: true });
  await inFlight;
  expect([keys(), reader.current().isStale]).toEqual([['b', 'd'], false]);
  reader.drop({ recordings: [{ key: 'b' }], isComplete: false });
  expect([keys(), reader.current().isStale]).toEqual([['d'], true]);
  await reader.reload();
  expect([keys(), reader.current().isStale]).toEqual([['e'], false]);
});
