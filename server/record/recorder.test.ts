// Tests of the ends of recordings: some that a killed gateway had finished but not yet listed, and some whose write
// fails.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storedMeta } from '../testing/stored-meta.ts';
import type { Catalog } from './catalog.ts';
import { RECORD_LIMITS } from './limits.ts';
import { catalogPath, folderOf, metaPath, monthOf, openFolder, shortPath } from './places.ts';
import { Recorder } from './recorder.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { StoredMeta } from './stored-meta.ts';
import { StoredRecording } from './stored-recording.ts';

const KEY = 'a-key_16letters0';
const STARTED_MS = Date.UTC(2026, 10, 27);
const META = storedMeta(KEY, STARTED_MS);
const OWNER = { pid: 1, startTime: 1 };

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recorder-'));
  folder = folderOf(root, monthOf(STARTED_MS), KEY);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Leaves a finished short recording, which has no note. */
function leaveShort(): void {
  mkdirSync(dirname(folder), { recursive: true });
  const head = { key: KEY, segment: 1, firstOffset: 0, wallMs: STARTED_MS, monotonicUs: 0, salt: 1 };
  const payload = Buffer.from(JSON.stringify(META));
  SegmentWriter.writeWhole(shortPath(folder), head, [{ type: 'meta', payload, atMs: STARTED_MS, offset: 0 }]);
}

/** Leaves a finished recording whose note was not removed. */
function leaveLong(): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(metaPath(folder), JSON.stringify(META));
  mkdirSync(openFolder(root));
  const note = { owner: OWNER, month: monthOf(STARTED_MS), meta: META };
  writeFileSync(join(openFolder(root), KEY), JSON.stringify(note));
}

/** Records the ended process of an earlier gateway again, like a gateway that took it over from a keeper. */
async function recordAgain(): Promise<Catalog> {
  const failures: (string | null)[] = [];
  const recorder = new Recorder({
    root,
    limits: RECORD_LIMITS,
    owner: () => OWNER,
    isRunning: () => true,
    isHeld: () => false,
    failed: (reason) => failures.push(reason),
  });
  await recorder.ready;
  const source = { describe: () => META, gather: () => {}, hold: () => () => {} };
  recorder.begin(KEY, STARTED_MS, source, { seq: 1, offset: 0, isContinued: true });
  recorder.exited(KEY, { code: 0, signal: null, sandboxDenied: false }, STARTED_MS);
  recorder.closed(KEY, STARTED_MS);
  await recorder.close();
  expect(failures.filter((reason) => reason !== null)).toEqual([]);
  return recorder.catalog;
}

async function listed(catalog: Catalog): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { meta } of catalog.newestFirst()) found.push(meta);
  return found;
}

it.each([
  ['short', leaveShort],
  ['long', leaveLong],
])('[HS14] lists a finished %s recording once, and removes its note', async (_length, leave) => {
  leave();
  expect(await listed(await recordAgain())).toEqual([META]);
  expect(await listed(await recordAgain())).toEqual([META]);
  expect(readdirSync(openFolder(root))).toEqual([]);
});

it.each([
  ['short', 'x', () => shortPath(folder)],
  ['short', 'x', () => catalogPath(root, monthOf(STARTED_MS))],
  ['long', 'x'.repeat(100_000), () => `${metaPath(folder)}.tmp`],
  ['long', 'x'.repeat(100_000), () => catalogPath(root, monthOf(STARTED_MS))],
])(
  '[HS13] lists a %s recording whose end cannot be written, once it can be',
  async (_length, text, obstacle) => {
    const reasons: (string | null)[] = [];
    const recorder = new Recorder({
      root,
      limits: { ...RECORD_LIMITS, recordFreeBytes: 0, recordFreeShare: 0, recordLowLookMs: 10 },
      owner: () => OWNER,
      isRunning: () => true,
      isHeld: () => false,
      failed: (reason) => reasons.push(reason),
    });
    await recorder.ready;
    const source = { describe: () => META, gather: () => {}, hold: () => () => {} };
    recorder.begin(KEY, STARTED_MS, source, { seq: 1, offset: 0, isContinued: false });
    recorder.output(KEY, 'stdout', Buffer.from(text), STARTED_MS);
    if (text.length > 1) await recorder.flushed(KEY);
    mkdirSync(obstacle(), { recursive: true });
    recorder.closed(KEY, STARTED_MS);
    await expect.poll(() => reasons.at(-1)).toMatch(/^Output is not recorded: /);
    expect(await listed(recorder.catalog)).toEqual([]);
    recorder.mark(KEY, { act: 'restarted' });
    rmSync(obstacle(), { recursive: true });
    await expect.poll(() => recorder.isLive(KEY)).toBe(false);
    expect(await listed(recorder.catalog)).toMatchObject([{ info: { key: KEY } }]);
    expect(reasons.at(-1)).toBeNull();
    expect(recorder.storedBytes).toBeGreaterThan(0);
    await recorder.close();
    const { events } = await (await StoredRecording.open(folder)).after(0, 1_000_000);
    expect(events).toMatchObject([{ kind: 'output', bytes: Buffer.from(text) }, { kind: 'closed' }]);
  },
);

it('[HS14] lists a recording after all that ended before it, also when the one between them has failed', async () => {
  const recorder = new Recorder({
    root,
    limits: { ...RECORD_LIMITS, recordFreeBytes: 0, recordFreeShare: 0 },
    owner: () => OWNER,
    isRunning: () => true,
    isHeld: () => false,
    failed: () => {},
  });
  await recorder.ready;
  const add = vi.spyOn(recorder.catalog, 'add');
  // The first recording is long, so that its files take longer to write than those of the short ones.
  const keys = { 'a-key_16letters0': 100_000, 'b-key_16letters0': 1, 'c-key_16letters0': 1 };
  for (const [key, bytes] of Object.entries(keys)) {
    const source = { describe: () => storedMeta(key, STARTED_MS), gather: () => {}, hold: () => () => {} };
    recorder.begin(key, STARTED_MS, source, { seq: 1, offset: 0, isContinued: false });
    recorder.output(key, 'stdout', Buffer.alloc(bytes, 'x'), STARTED_MS);
  }
  mkdirSync(shortPath(folderOf(root, monthOf(STARTED_MS), 'b-key_16letters0')), { recursive: true });
  for (const key of Object.keys(keys)) recorder.closed(key, STARTED_MS);
  await expect.poll(() => recorder.isLive('c-key_16letters0')).toBe(false);
  await recorder.close();
  const listed = add.mock.calls.map(([, entry]) => (JSON.parse(entry) as StoredMeta).info.key);
  expect(listed.slice(0, 2)).toEqual(['a-key_16letters0', 'c-key_16letters0']);
});
