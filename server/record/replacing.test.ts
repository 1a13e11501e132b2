// Tests of new files of recordings, whose segments may have been deleted or continued since.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RECORD_LIMITS } from './limits.ts';
import { OutputCopies } from './output-copies.ts';
import { folderOf, indexPath, newFolder, openFolder, segmentName } from './places.ts';
import { Recording } from './recording.ts';
import { Replacing } from './replacing.ts';
import type { FileIdentity } from './seal.ts';

const KEY = 'a-key_16letters0';
let root = '';
let folder = '';
const removing = new Set<string>();
let live: Recording | undefined;
let replacing: Replacing;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'replacing-'));
  folder = folderOf(root, '2026-11', KEY);
  mkdirSync(folder, { recursive: true });
  mkdirSync(openFolder(root));
  removing.clear();
  live = undefined;
  replacing = new Replacing({ root, liveRecording: () => live, isRemoving: (key) => removing.has(key) });
});
afterEach(() => rmSync(root, { recursive: true }));

const pathOf = (number: number): string => join(folder, segmentName(number));

function written(path: string): FileIdentity {
  writeFileSync(path, 'plain');
  return { inode: statSync(path).ino, bytes: 5 };
}

/** Calls `meanwhile`, puts a sealed segment in place, and returns the content at that place; null without a file. */
function placed(number: number, identity: FileIdentity, meanwhile: () => void): string | null {
  const to = replacing.newPath();
  writeFileSync(to, 'sealed');
  meanwhile();
  replacing.place(to, pathOf(number), pathOf(number), identity);
  expect(readdirSync(newFolder(root))).toEqual([]);
  return existsSync(pathOf(number)) ? readFileSync(pathOf(number), 'utf8') : null;
}

/** Records this many segments of a running process. */
async function running(segments: number): Promise<Recording> {
  const recording = new Recording(
    KEY,
    folder,
    { seq: 1, offset: 0, isContinued: false },
    {
      limits: {
        ...RECORD_LIMITS,
        recordSegmentBytes: 10_000,
        recordFirstBytes: 1,
        recordProcessBytes: 35_000,
      },
      copies: new OutputCopies(),
      taken: () => {},
      finished: () => {},
    },
  );
  for (let at = 0; at < segments; at += 1) {
    recording.output('pty', Buffer.alloc(9000, 97), 1, true);
    await recording.write();
  }
  return recording;
}

describe('Replacing', () => {
  it('[HS19] replaces a finished segment, and removes what an earlier gateway has left', () => {
    expect(placed(1, written(pathOf(1)), () => undefined)).toBe('sealed');
    writeFileSync(replacing.newPath(), 'half');
    replacing.prepare();
    expect(existsSync(newFolder(root))).toBe(false);
    expect(placed(1, { ...written(pathOf(1)) }, () => undefined)).toBe('sealed');
  });

  it('[HS19] does not bring back a segment that was deleted or is about to be', () => {
    expect(placed(1, written(pathOf(1)), () => rmSync(pathOf(1)))).toBeNull();
    expect(placed(1, written(pathOf(1)), () => rmSync(folder, { recursive: true }))).toBeNull();
    mkdirSync(folder);
    expect(placed(1, written(pathOf(1)), () => removing.add(KEY))).toBe('plain');
  });

  it('[HS19] leaves a segment that was replaced by another, or that another gateway records', () => {
    expect(placed(1, written(pathOf(1)), () => writeFileSync(pathOf(1), 'longer than before'))).toBe(
      'longer than before',
    );
    expect(placed(1, written(pathOf(1)), () => writeFileSync(join(openFolder(root), KEY), ''))).toBe('plain');
    expect(replacing.isFinished(pathOf(1))).toBe(false);
  });

  it('[HS19] updates the size of a segment of a running process, and never replaces the newest or a dropped one', async () => {
    live = await running(3);
    const before = live.storedBytes;
    const sizes = [1, 2, 3].map((number) => statSync(pathOf(number)).size);
    const identity = { inode: statSync(pathOf(1)).ino, bytes: sizes[0] ?? 0 };
    expect(placed(1, identity, () => writeFileSync(indexPath(pathOf(1)), 'index'))).toBe('sealed');
    expect(live.storedBytes).toBe(before - (sizes[0] ?? 0) + 'sealed'.length + 'index'.length);
    expect(replacing.isFinished(pathOf(3))).toBe(false);
    for (let at = 0; at < 2; at += 1) {
      live.output('pty', Buffer.alloc(9000, 97), 1, true);
      await live.write();
    }
    // The limit has removed the second segment.
    expect(replacing.isFinished(pathOf(2))).toBe(false);
    const gone = { inode: 1, bytes: 1 };
    expect(placed(2, gone, () => undefined)).toBeNull();
    await live.closeFile();
  });
});
