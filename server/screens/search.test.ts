// Tests of searches that end early: at their time limit, with an error, or when they are aborted.
import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import type { ProcessView } from '../keeper/process-view.ts';
import { Search, SearchRefused, SearchTimeout } from './search.ts';

/** A thread that never replies after its start. */
class SilentThread extends EventEmitter {
  postMessage(): void {}
  terminate(): void {}
}
vi.mock('../host/start-thread.ts', () => ({
  startThread: () => {
    const thread = new SilentThread();
    setImmediate(() => thread.emit('message', {}));
    return thread;
  },
}));

const query = { text: 'a', isRegex: false, isCaseSensitive: false };
const search = new Search({ searchHits: 1, searchHitsPerProcess: 1, searchMs: 1, searchAllMs: 1000 });
afterEach(() => search.close());

it.each([
  [
    true,
    SearchRefused,
    'the expression takes too long: more than <1s for the output of one process; use a simpler one',
  ],
  [
    false,
    SearchTimeout,
    'the search took more than <1s for the output of one process, because the machine is busy; try again later',
  ],
])('[SR3] Search gives the cause of its time limit (regex: %s)', async (isRegex, type, message) => {
  const process = { key: 'k', log: { seal: () => {}, sealedBytes: 1 } } as unknown as ProcessView;
  const searched = search.search({
    who: 'ann',
    processes: [process],
    query: { ...query, isRegex },
    isAborted: () => false,
    outputOf: () => Buffer.from('a'),
    isRedacted: false,
  });
  await expect(searched).rejects.toBeInstanceOf(type);
  await expect(searched).rejects.toThrow(message);
});

it('Search reports that it is incomplete when it is aborted before its last turn', async () => {
  // The search is aborted between the check before the turn and the one in it.
  const isAborted = vi.fn(() => isAborted.mock.calls.length > 1);
  const searched = search.search({
    who: 'ann',
    processes: [{ key: 'k' } as unknown as ProcessView],
    query,
    isAborted,
    outputOf: () => Buffer.alloc(0),
    isRedacted: false,
  });
  expect(await searched).toEqual({ hits: [], searchedBytes: 0, isComplete: false });
});
