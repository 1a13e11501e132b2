// Tests of the limit on large replies of fs/readFile at once: rule LI20.
import { mkdtempSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LargeReads } from './large-reads.ts';

const AGENT = { tokenId: 'a', role: 'agent' };
const OTHER_AGENT = { tokenId: 'b', role: 'agent' };
const OPERATOR = { tokenId: 'c', role: 'operator' };
const LARGE_BYTES = 2 * 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
  writeFileSync(join(folder, 'large'), Buffer.alloc(LARGE_BYTES));
  writeFileSync(join(folder, 'small'), 'small');
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string): Parameters<LargeReads['read']>[1] => ({
  path: join(folder, name),
  limitBytes: LARGE_BYTES,
  refuseOpened: () => Promise.resolve(),
});

/** A large file that reports a size of 0, like those in /proc. */
const largeOfSystem = (): ReturnType<typeof file> => ({
  ...file('large'),
  refuseOpened: (_path, handle) => {
    const stat = handle.stat.bind(handle) as () => Promise<Stats>;
    vi.spyOn(handle, 'stat').mockImplementation(async () => Object.assign(await stat(), { size: 0 }));
    return Promise.resolve();
  },
});

it('[LI20] a large file waits for another large read of its token or of all agents, and a small one does not', async () => {
  const reads = new LargeReads();
  let end: () => void = () => {};
  const first = reads.inTurn(AGENT, () => new Promise<void>((resolve) => (end = resolve)));
  const done: string[] = [];
  const later = [
    { taker: AGENT, read: file('large') },
    { taker: OTHER_AGENT, read: largeOfSystem() },
  ].map(({ taker, read }) => reads.read(taker, read).then(() => done.push(taker.tokenId)));
  expect((await reads.read(AGENT, file('small'))).bytes).toBeLessThan(100);
  const { bytes } = await reads.read(OPERATOR, file('large'));
  expect(bytes).toBeGreaterThan(LARGE_BYTES);
  expect((await reads.read(OPERATOR, largeOfSystem())).bytes).toBe(bytes);
  expect(done).toEqual([]);
  end();
  await Promise.all([first, ...later]);
  expect(done.toSorted()).toEqual(['a', 'b']);
});

it('a file beyond the limit is refused, and is not read', async () => {
  const reads = new LargeReads();
  await expect(reads.read(AGENT, { ...file('large'), limitBytes: LARGE_BYTES - 1 })).rejects.toThrow(
    'the limit for one reply',
  );
  await expect(reads.read(AGENT, { ...largeOfSystem(), limitBytes: 100 })).rejects.toThrow(
    'more than 100 bytes',
  );
});
