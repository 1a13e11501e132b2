// Tests of recordings without an entry in the catalogue, which a start lists: rule HS14.
import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedMeta } from '../testing/stored-meta.ts';
import { RECORD_LIMITS } from './limits.ts';
import { catalogPath, folderOf, metaPath, monthOf, openFolder, segmentName, shortPath } from './places.ts';
import { Recorder } from './recorder.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { StoredMeta } from './stored-meta.ts';

const STARTED_MS = Date.UTC(2026, 10, 27);
const EARLIER_MS = Date.UTC(2026, 9, 3);
/** Limits under which no recording is removed for its age or a lack of space. */
const LIMITS = {
  ...RECORD_LIMITS,
  recordAgeMs: Number.MAX_SAFE_INTEGER,
  recordFreeBytes: 0,
  recordFreeShare: 0,
};

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unlisted-'));
  mkdirSync(openFolder(root));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Facts of a process that ended so many milliseconds after its start. */
const metaOf = (key: string, afterMs: number, startedAtMs = STARTED_MS): StoredMeta => ({
  ...storedMeta(key, startedAtMs),
  endedAtMs: startedAtMs + afterMs,
  recordedBytes: 10,
});
const pathOf = ({ info }: StoredMeta): string => folderOf(root, monthOf(info.startedAtMs), info.key);

function leaveShort(meta: StoredMeta): void {
  const { key, startedAtMs } = meta.info;
  mkdirSync(dirname(pathOf(meta)), { recursive: true });
  const head = { key, segment: 1, firstOffset: 0, wallMs: startedAtMs, monotonicUs: 0, salt: 1 };
  const payload = Buffer.from(JSON.stringify(meta));
  SegmentWriter.writeWhole(shortPath(pathOf(meta)), head, [
    { type: 'meta', payload, atMs: startedAtMs, offset: 0 },
  ]);
}

function leaveLong(meta: StoredMeta): void {
  const { key, startedAtMs } = meta.info;
  mkdirSync(pathOf(meta), { recursive: true });
  writeFileSync(metaPath(pathOf(meta)), JSON.stringify(meta));
  const head = { key, segment: 1, firstOffset: 0, wallMs: startedAtMs, monotonicUs: 0, salt: 1 };
  SegmentWriter.writeWhole(join(pathOf(meta), segmentName(1)), head, []);
}

const writeCatalog = (startedAtMs: number, lines: readonly string[]): void =>
  writeFileSync(catalogPath(root, monthOf(startedAtMs)), lines.map((line) => `${line}\n`).join(''));

const start = (live: readonly string[] = []): Recorder => {
  const recorder = new Recorder({
    root,
    limits: LIMITS,
    owner: () => ({ pid: 1, startTime: 1 }),
    isRunning: () => true,
    isHeld: (key) => key === 'held',
    failed: () => {},
  });
  const source = { describe: () => storedMeta('live', STARTED_MS), gather: () => {}, hold: () => () => {} };
  for (const key of live) recorder.begin(key, STARTED_MS, source, { seq: 1, offset: 0, isContinued: true });
  return recorder;
};

/** Starts a gateway; resolves with the keys in its catalogue, the newest first, and the bytes that it counts. */
async function listed(live: readonly string[] = []): Promise<{ keys: string[]; bytes: number }> {
  const recorder = start(live);
  await recorder.listed();
  const keys: string[] = [];
  for await (const { meta } of recorder.catalog.newestFirst()) keys.push(meta.info.key);
  const bytes = recorder.retention.storedBytes;
  await recorder.close(true);
  return { keys, bytes };
}

it('[HS14] a start lists recordings without an entry at their places', async () => {
  for (const meta of [metaOf('first', 1), metaOf('second', 2), metaOf('third', 3)]) leaveLong(meta);
  for (const meta of [metaOf('fourth', 4), metaOf('early', 1, EARLIER_MS)]) leaveShort(meta);
  writeCatalog(STARTED_MS, [
    JSON.stringify(metaOf('second', 2)),
    'damaged',
    JSON.stringify(metaOf('third', 3)),
  ]);
  const all = { keys: ['fourth', 'third', 'second', 'first', 'early'], bytes: 50 };
  expect(await listed()).toEqual(all);
  expect(readFileSync(catalogPath(root, monthOf(STARTED_MS))).toString()).toContain('\ndamaged\n');
  expect(await listed()).toEqual(all);
});

it('[HS14] a start replaces the damaged entry of a recording', async () => {
  leaveLong(metaOf('first', 1));
  writeCatalog(STARTED_MS, [JSON.stringify({ ...metaOf('first', 1), role: 7 })]);
  expect(await listed()).toEqual({ keys: ['first'], bytes: 10 });
  expect(readFileSync(catalogPath(root, monthOf(STARTED_MS))).toString()).toBe(
    `${JSON.stringify(metaOf('first', 1))}\n`,
  );
});

it('[HS14] a start finishes a recording that has neither an end nor a note', async () => {
  leaveLong({ ...metaOf('open', 0), endedAtMs: null });
  const recorder = start();
  await recorder.listed();
  const { value } = await recorder.catalog.newestFirst().next();
  expect(value).toMatchObject({ meta: { info: { key: 'open', state: 'lost' }, endedAtMs: STARTED_MS } });
  await recorder.close();
});

it('[HS14] a start lists no recording that is being recorded, may be taken over or is in another place', async () => {
  for (const key of ['live', 'noted']) leaveLong(metaOf(key, 1));
  const held = { ...metaOf('held', 0), endedAtMs: null };
  leaveLong(held);
  const note = { owner: { pid: 1, startTime: 1 }, month: monthOf(STARTED_MS), meta: metaOf('noted', 1) };
  writeFileSync(join(openFolder(root), 'noted'), JSON.stringify(note));
  leaveLong(metaOf('moved', 1));
  writeFileSync(metaPath(pathOf(metaOf('moved', 1))), JSON.stringify(metaOf('moved', 1, EARLIER_MS)));
  mkdirSync(join(root, monthOf(STARTED_MS), 'empty'));
  writeFileSync(join(root, monthOf(STARTED_MS), 'foreign.txt'), 'foreign');
  expect(await listed(['live'])).toEqual({ keys: [], bytes: 0 });
  // The recording of a process goes on once it is taken over, so it must not be finished.
  expect(JSON.parse(readFileSync(metaPath(pathOf(held)), 'utf8'))).toEqual(held);
});

it('[HS11, HS14] a start does not list a removed recording', async () => {
  const meta = metaOf('removed', 1);
  leaveShort(meta);
  const recorder = start();
  await recorder.listed();
  await recorder.retention.remove(new Map([['removed', STARTED_MS]]), 10);
  await recorder.close();
  expect(await listed()).toEqual({ keys: [], bytes: 0 });
});

it('[HS11, HS14] a start does not list a recording whose removal was interrupted', async () => {
  const meta = metaOf('part', 1);
  leaveLong(meta);
  const { rm } = fs.promises;
  const recorder = start();
  await recorder.listed();
  try {
    // The gateway is killed after it has removed one file of the folder.
    fs.promises.rm = async (path, options) => {
      if (path !== pathOf(meta)) return await rm(path, options);
      await rm(join(pathOf(meta), segmentName(1)));
      throw new Error('killed');
    };
    syncBuiltinESMExports();
    await expect(recorder.retention.remove(new Map([['part', STARTED_MS]]), 10)).rejects.toThrow('killed');
  } finally {
    fs.promises.rm = rm;
    syncBuiltinESMExports();
  }
  await recorder.close();
  rmSync(catalogPath(root, monthOf(STARTED_MS)));
  expect(await listed()).toEqual({ keys: [], bytes: 0 });
});
