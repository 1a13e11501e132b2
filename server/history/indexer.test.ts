// Tests that the indexer repeats failed tasks: for recordings one by one, and the list of all recordings.
import { expect, it, vi } from 'vitest';
import { Indexer, type IndexedRecorder } from './indexer.ts';

type Ask = (kind: string, task: { readonly folders: readonly string[] }) => Promise<unknown>;
const tasks = vi.hoisted(() => ({ ask: vi.fn<Ask>(), close: vi.fn<() => void>() }));
vi.mock('./tasks.ts', () => ({
  HistoryTasks: class {
    ask = tasks.ask;
    close = tasks.close;
  },
}));

/** Runs an indexer over two recordings until it has no work, and returns the folders of each check. */
async function checks(fails: (kind: string, count: number) => boolean): Promise<readonly string[]> {
  const counts: Record<string, number> = {};
  const checked: string[] = [];
  tasks.ask.mockImplementation((kind, task) => {
    const count = (counts[kind] = (counts[kind] ?? 0) + 1);
    if (kind === 'unfinished') checked.push(task.folders.join(' '));
    if (fails(kind, count)) return Promise.reject(new Error('the task failed'));
    return Promise.resolve(kind === 'folders' ? ['one', 'two'] : []);
  });
  const over = new Promise<void>((resolve) => tasks.close.mockImplementation(() => resolve()));
  const recorder = {
    root: '/rec',
    ready: Promise.resolve(),
    onSegment: () => {},
    retention: { resized: () => Promise.resolve() },
  } as unknown as IndexedRecorder;
  const indexer = new Indexer(recorder, { recordIndexMs: 0, recordIndexLoad: Number.POSITIVE_INFINITY });
  await over;
  indexer.close();
  return checked;
}

it.each(['unfinished', 'sizes'])(
  '[HS17] Indexer checks recordings one by one when the task %s failed',
  async (task) => {
    expect(await checks((kind, count) => kind === task && count === 1)).toEqual(['one two', 'one', 'two']);
  },
);

it('[HS17] Indexer lists the recordings of earlier gateways again when that failed', async () => {
  expect(await checks((kind, count) => kind === 'folders' && count < 3)).toEqual(['one two']);
});

it('[HS17] Indexer checks recordings no third time, and once when no task fails', async () => {
  expect(await checks((kind) => kind === 'unfinished')).toEqual(['one two', 'one', 'two']);
  expect(await checks(() => false)).toEqual(['one two']);
});
