// Tests of files that the system cannot read, here links to themselves: they are errors, never empty recordings.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedMeta } from '../testing/stored-meta.ts';
import { Catalog } from './catalog.ts';
import { catalogPath, folderOf, metaPath, openFolder, segmentName } from './places.ts';
import { recoverUnfinished } from './recover.ts';
import { encodeCount } from './segment-payloads.ts';
import { SegmentWriter } from './segment-writer.ts';
import { readMeta } from './stored-meta.ts';
import { StoredRecording } from './stored-recording.ts';

const KEY = 'a-key_16letters0';
const MONTH = '2026-11';
const META = storedMeta(KEY, Date.UTC(2026, 10, 27));

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unreadable-'));
  folder = folderOf(root, MONTH, KEY);
  mkdirSync(folder, { recursive: true });
  mkdirSync(openFolder(root));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a segment with one chunk of three bytes, whose seq is the number of the segment. */
function segment(number: number): string {
  const path = join(folder, segmentName(number));
  const at = { atMs: META.info.startedAtMs, offset: 3 * (number - 1) };
  const head = { key: KEY, segment: number, firstOffset: at.offset, wallMs: 0, monotonicUs: 0, salt: 1 };
  SegmentWriter.writeWhole(path, head, [
    { type: 'place', payload: encodeCount(number), ...at },
    { type: 'stdout', payload: Buffer.from('abc'), ...at },
  ]);
  return path;
}

function makeUnreadable(path: string): void {
  rmSync(path, { force: true });
  symlinkSync(path, path);
}

const seqs = async (recording: StoredRecording, afterSeq: number): Promise<unknown> => {
  const { events, missedBytes } = await recording.after(afterSeq, 1000);
  return [events.map(({ seq }) => seq), missedBytes];
};

describe('StoredRecording', () => {
  it('[HS5] counts a segment that was removed after it was opened as a gap', async () => {
    const [, second = ''] = [1, 2, 3].map(segment);
    const recording = await StoredRecording.open(folder);
    rmSync(second);
    expect(await seqs(recording, 1)).toEqual([[3], 3]);
  });

  it('[HS6] rejects instead of reading an unreadable segment as an empty one', async () => {
    const [, second = '', third = ''] = [1, 2, 3].map(segment);
    const recording = await StoredRecording.open(folder);
    makeUnreadable(second);
    await expect(recording.after(1, 1000)).rejects.toThrow('ELOOP');
    makeUnreadable(third);
    await expect(recording.end()).rejects.toThrow('ELOOP');
    await expect(StoredRecording.openIfAny(folder)).rejects.toThrow('ELOOP');
  });
});

it('[HS6] readMeta rejects for unreadable facts, and returns null for missing ones', async () => {
  expect(await readMeta(folder)).toBeNull();
  makeUnreadable(metaPath(folder));
  await expect(readMeta(folder)).rejects.toThrow('ELOOP');
});

it('[HS6] Catalog rejects for an unreadable file, and has no entry without one', async () => {
  const catalog = new Catalog(root);
  expect(await catalog.has(META)).toBe(false);
  makeUnreadable(catalogPath(root, MONTH));
  await expect(catalog.has(META)).rejects.toThrow('ELOOP');
});

it('[HS14] recoverUnfinished leaves a recording that it cannot read to the next start', async () => {
  makeUnreadable(join(openFolder(root), KEY));
  await recoverUnfinished(root, new Catalog(root), { isRunning: () => false, isHeld: () => false });
  expect(readdirSync(openFolder(root))).toEqual([KEY]);
});
