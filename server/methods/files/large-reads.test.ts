// Tests of the limit on large replies of fs/readFile at once: rule LI20.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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

const file = (name: string) => ({
  path: join(folder, name),
  limitBytes: LARGE_BYTES,
  refuseOpened: () => Promise.resolve(),
});

it('[LI20] a large file waits for another large read of its token or of all agents, and a small one does not', async () => {
  const reads = new LargeReads();
  let end: () => void = () => {};
  const first = reads.inTurn(AGENT, () => new Promise<void>((resolve) => (end = resolve)));
  const done: string[] = [];
  const later = [AGENT, OTHER_AGENT].map((taker) =>
    reads.read(taker, file('large')).then(() => done.push(taker.tokenId)),
  );
  expect((await reads.read(AGENT, file('small'))).bytes).toBeLessThan(100);
  expect((await reads.read(OPERATOR, file('large'))).bytes).toBeGreaterThan(LARGE_BYTES);
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
});
