// Tests of recordings that a killed gateway left open, with their facts in the note or, as in earlier versions, in
// their folder: rule HS14.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedMeta } from '../testing/stored-meta.ts';
import { Catalog } from './catalog.ts';
import { folderOf, metaPath, openFolder, segmentName } from './places.ts';
import { readNote, recoverUnfinished, type OpenNote } from './recover.ts';
import { encodeCount } from './segment-payloads.ts';
import { SegmentWriter } from './segment-writer.ts';
import { readMeta, type StoredMeta } from './stored-meta.ts';

const MONTH = '2026-11';
const STARTED_MS = Date.UTC(2026, 10, 27);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recover-'));
  mkdirSync(openFolder(root));
});
afterEach(() => rmSync(root, { recursive: true }));

const metaOf = (key: string): StoredMeta => {
  const meta = storedMeta(key, STARTED_MS);
  return {
    ...meta,
    info: { ...meta.info, state: 'running', exitCode: null, exitedAtMs: null },
    endedAtMs: null,
  };
};

/** Leaves an unfinished recording of one line of output, without facts in its folder, and its note. */
function left(key: string, note: Partial<OpenNote>): void {
  const folder = folderOf(root, MONTH, key);
  mkdirSync(folder, { recursive: true });
  const head = { key, segment: 1, firstOffset: 0, wallMs: STARTED_MS, monotonicUs: 0, salt: 1 };
  const at = { atMs: STARTED_MS + 5, offset: 0 };
  SegmentWriter.writeWhole(join(folder, segmentName(1)), head, [
    { type: 'place', payload: encodeCount(1), ...at },
    { type: 'stdout', payload: Buffer.from('done\n'), ...at },
  ]);
  const all = { owner: { pid: 1, startTime: -1 }, month: MONTH, ...note };
  writeFileSync(join(openFolder(root), key), JSON.stringify(all));
}

/** Cuts off bytes at the end of the recording of one line. */
const cut = (key: string, bytes: number): void => {
  const path = join(folderOf(root, MONTH, key), segmentName(1));
  truncateSync(path, statSync(path).size - bytes);
};

const HELD = 'held';

async function recovered(): Promise<unknown[]> {
  const catalog = new Catalog(root);
  await recoverUnfinished(root, catalog, { isRunning: () => false, isHeld: (key) => key === HELD });
  const found: unknown[] = [];
  for await (const { meta } of catalog.newestFirst())
    found.push([meta.info.key, meta.info.state, meta.info.outputBytes, meta.endedAtMs]);
  return found;
}

it('[HS14] recoverUnfinished takes the facts from the note, and stores them in the folder', async () => {
  left('noted', { meta: metaOf('noted') });
  expect((await readNote(root, 'noted'))?.meta).toEqual(metaOf('noted'));
  expect(await recovered()).toEqual([['noted', 'lost', 5, STARTED_MS + 5]]);
  expect(await readMeta(folderOf(root, MONTH, 'noted'))).toMatchObject({ info: { state: 'lost' } });
  expect(readdirSync(openFolder(root))).toEqual([]);
  expect(await readNote(root, 'noted')).toBeNull();
});

it.each([
  ['its payload', 1, 5, 2],
  ['all of its payload', 5, 5, 2],
  ['its header', 6, 0, 1],
])(
  '[HS6] [HS14] recoverUnfinished counts the output of a last record that lacks the end of %s',
  async (_, bytes, outputBytes, nextSeq) => {
    left('torn', { meta: metaOf('torn') });
    cut('torn', bytes);
    expect(await recovered()).toEqual([['torn', 'lost', outputBytes, STARTED_MS]]);
    const meta = await readMeta(folderOf(root, MONTH, 'torn'));
    expect(meta).toMatchObject({ info: { outputBytes, nextSeq, firstRetainedSeq: nextSeq } });
  },
);

it('[HS14] recoverUnfinished takes the facts from the folder of a recording of an earlier version', async () => {
  left('former', {});
  writeFileSync(metaPath(folderOf(root, MONTH, 'former')), JSON.stringify(metaOf('former')));
  expect(await recovered()).toEqual([['former', 'lost', 5, STARTED_MS + 5]]);
});

it('[HS14] recoverUnfinished leaves the recording of a process that may be taken over', async () => {
  left(HELD, { meta: metaOf(HELD) });
  expect(await recovered()).toEqual([]);
  expect(readdirSync(openFolder(root))).toEqual([HELD]);
});

it('[HS14] recoverUnfinished lists nothing for invalid facts, or for those of another process', async () => {
  left('other', { meta: metaOf('noted') });
  left('damaged', { meta: { ...metaOf('damaged'), version: 2 as never } });
  left('without', { meta: null });
  expect(await recovered()).toEqual([]);
  expect(readdirSync(openFolder(root))).toEqual([]);
});
