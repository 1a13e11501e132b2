// Tests of a seq index that was cut or damaged at any byte.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Sealed } from '../keeper/seq-journal.ts';
import { limitFiles } from '../testing/limit-files.ts';
import { SeqIndex } from './seq-index.ts';

const failed = (error: Error | null): never => {
  throw error ?? new Error('not failed');
};
const ENTRIES: readonly Sealed[] = [
  { kind: 'stdout', endOffset: 10, atMs: 1_700_000_000_000, exitCode: 0, sandboxDenied: false },
  { kind: 'stderr', endOffset: 2 ** 40, atMs: 1_700_000_000_001, exitCode: 0, sandboxDenied: false },
  { kind: 'exited', endOffset: 2 ** 40, atMs: 1_700_000_000_002, exitCode: 137, sandboxDenied: true },
  { kind: 'pty', endOffset: 2 ** 40 + 1, atMs: 1_700_000_000_003, exitCode: 0, sandboxDenied: false },
];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-console-seq-'));
  path = join(folder, 'seq.idx');
  const { index } = SeqIndex.open(path, failed);
  for (const entry of ENTRIES) index.add(entry);
  index.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

function reopened(): readonly Sealed[] {
  const { index, entries } = SeqIndex.open(path, failed);
  index.close();
  return entries;
}

it('[KP3] SeqIndex reads back every entry', () => {
  expect(reopened()).toEqual(ENTRIES);
});

it('[KP10] SeqIndex that was cut at any byte has every whole entry before the cut, and accepts new ones', () => {
  const whole = readFileSync(path);
  const each = whole.length / ENTRIES.length;
  for (let cut = 0; cut <= whole.length; cut += 1) {
    writeFileSync(path, whole.subarray(0, cut));
    const remaining = ENTRIES.slice(0, Math.floor(cut / each));
    const { index, entries } = SeqIndex.open(path, failed);
    expect(entries).toEqual(remaining);
    // Repeated entries are not written twice.
    for (const entry of [...remaining, ENTRIES[0] as Sealed]) index.add(entry);
    index.close();
    expect(reopened()).toEqual([...remaining, ENTRIES[0]]);
  }
});

it('[KP10] SeqIndex with a flipped byte has the entries before it', () => {
  const whole = readFileSync(path);
  const each = whole.length / ENTRIES.length;
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(path, damaged);
    expect(reopened().length, `byte ${at}`).toBe(Math.floor(at / each));
  }
});

it('[KP10] SeqIndex truncates bytes that are not an entry', () => {
  appendFileSync(path, 'x'.repeat(30));
  expect(reopened()).toEqual(ENTRIES);
  expect(readFileSync(path).length % ENTRIES.length).toBe(0);
});

it('[KP20] SeqIndex reports a full disk, and writes the delayed entries in order once there is room', () => {
  vi.useFakeTimers();
  const folderOfIt = join(folder, 'gone');
  const failed = vi.fn();
  const index = SeqIndex.begin(join(folderOfIt, 'seq.idx'), failed);
  for (const entry of ENTRIES) index.add(entry);
  expect(failed.mock.calls).toEqual([[expect.any(Error)]]);
  vi.advanceTimersByTime(5000);
  mkdirSync(folderOfIt);
  vi.advanceTimersByTime(1000);
  expect(failed.mock.calls).toEqual([[expect.any(Error)], [null]]);
  index.close();
  path = join(folderOfIt, 'seq.idx');
  expect(reopened()).toEqual(ENTRIES);
  vi.useRealTimers();
});

it.each([1, 23, 25])(
  '[KP20] SeqIndex cuts off an incomplete entry before it writes again, after a disk that had room for %i bytes',
  (bytes) => {
    vi.useFakeTimers();
    const failed = vi.fn();
    const index = SeqIndex.begin(path, failed);
    limitFiles(bytes);
    try {
      for (const entry of ENTRIES) index.add(entry);
      expect(failed.mock.calls).toEqual([[expect.any(Error)]]);
      vi.advanceTimersByTime(3000);
    } finally {
      limitFiles('unlimited');
    }
    vi.advanceTimersByTime(1000);
    expect(failed).toHaveBeenLastCalledWith(null);
    index.close();
    expect(reopened()).toEqual(ENTRIES);
    vi.useRealTimers();
  },
);

describe('SeqIndex of a process that has printed for long', () => {
  const COUNT = 250_000;
  /** Returns entry `n`. Each event has 1 KiB, so that about half of all output may still be on disk. */
  const entryOf = (n: number): Sealed => ({ ...(ENTRIES[0] as Sealed), endOffset: (n + 1) * 1024, atMs: n });

  /** Returns the bytes of entries; they are made from one, since writing each would take seconds. */
  function bytesOf(from: number, to: number): Buffer {
    const one = Buffer.from(sample);
    const bytes = Buffer.alloc((to - from) * 24);
    for (let n = from; n < to; n += 1) {
      const { endOffset, atMs } = entryOf(n);
      one.writeUIntLE(endOffset, 0, 6);
      one.writeUIntLE(atMs, 6, 6);
      one.writeUInt32LE(crc32(one.subarray(0, 20)), 20);
      bytes.set(one, (n - from) * 24);
    }
    return bytes;
  }

  let sample: Buffer;
  beforeEach(() => {
    sample = readFileSync(path).subarray(0, 24);
    writeFileSync(path, bytesOf(0, COUNT));
  });

  /** Checks that the file has the entries of the newest events and the number of all others, `count` in total. */
  function expectNewest(count: number): void {
    const { index, earlier, entries } = SeqIndex.open(path, failed);
    index.close();
    expect(earlier.events + entries.length).toBe(count);
    expect(earlier.bytes).toBe(earlier.events * 1024);
    expect(entries.length).toBeGreaterThanOrEqual(2 ** 17);
    expect(entries.length).toBeLessThanOrEqual(2 ** 17 + 65_536);
    for (const [at, { atMs }] of entries.entries())
      if (atMs !== earlier.events + at) expect(at).toBe('in order');
    expect(entries.at(-1)).toEqual(entryOf(count - 1));
  }

  /** Adds the events up to `count`, as a later gateway does; the known ones are not written again. */
  function addTo(count: number): void {
    const { index, earlier } = SeqIndex.open(path, failed);
    for (let n = earlier.events; n < count; n += 1) index.add(entryOf(n));
    index.close();
  }

  it('[KP3] removes the entries of output that is no longer on disk from a file that grows', () => {
    // A crash may leave an incomplete file.
    writeFileSync(`${path}.new`, 'incomplete');
    addTo(2 ** 18 + 2);
    expectNewest(2 ** 18 + 2);
    expect(statSync(path).size).toBeLessThan(24 * 2 ** 18);
    const count = 2 ** 19;
    appendFileSync(path, bytesOf(2 ** 18 + 2, count));
    addTo(count + 1);
    expectNewest(count + 1);
    expect(statSync(path).size).toBeLessThanOrEqual(24 * 2 ** 18);
    expect(readdirSync(folder)).toEqual(['seq.idx']);
  });

  it('[KP3] continues with the whole file when it cannot be replaced', () => {
    mkdirSync(`${path}.new`);
    addTo(2 ** 18 + 1);
    expect(statSync(path).size).toBe(24 * (2 ** 18 + 1));
    expectNewest(2 ** 18 + 1);
  });

  it('[KP3] writes no empty entries when it reads fewer bytes than it has written', () => {
    const { index, earlier } = SeqIndex.open(path, failed);
    // Another program cuts the file, so that each read of its end returns fewer bytes.
    truncateSync(path, 24 * 1000);
    for (let n = earlier.events; n < 2 ** 18 + 1; n += 1) index.add(entryOf(n));
    index.close();
    expect(statSync(path).size).toBe(24 * (1000 + 2 ** 18 + 1 - COUNT));
    expect(readdirSync(folder)).toEqual(['seq.idx']);
  });

  it('[KP3] reads only the entries of output that may still be on disk, each under its seq', () => {
    expectNewest(COUNT);
    addTo(COUNT + 1);
    expect(readFileSync(path).length).toBe(24 * (COUNT + 1));
  });

  it('[KP10] reads the entries before a damaged one', () => {
    const bytes = readFileSync(path);
    for (const at of [COUNT - 1, COUNT - 65_536]) {
      const damaged = Buffer.from(bytes);
      damaged[at * 24] = (damaged[at * 24] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      const { index, earlier, entries } = SeqIndex.open(path, failed);
      index.close();
      expect(earlier.events + entries.length).toBe(at);
      expect(entries.at(-1)).toEqual(entryOf(at - 1));
    }
  });
});
