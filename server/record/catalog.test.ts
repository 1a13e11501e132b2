// Tests of the catalogue: sizes, which change after an entry was written, and the outlines that the limits need.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedMeta } from '../testing/stored-meta.ts';
import { Catalog } from './catalog.ts';
import type { StoredMeta } from './stored-meta.ts';

const STARTED_MS = Date.UTC(2026, 10, 27);
const MONTH = '2026-11';
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'catalog-'));
  mkdirSync(join(root, MONTH));
});
afterEach(() => rmSync(root, { recursive: true }));

const keyOf = (at: number): string => String(at).padStart(16, 'k');

const entry = (at: number, recordedBytes: number): StoredMeta => {
  const meta = storedMeta(keyOf(at), STARTED_MS);
  // A client chooses the metadata, whose names and values may resemble members of the entry.
  const metadata = { recordedBytes: '5', text: '"recordedBytes":7' };
  const info = { ...meta.info, metadata, argv: ['echo', 'Größe', '"recordedBytes":6'] };
  return { ...meta, info, endedAtMs: STARTED_MS + at, recordedBytes };
};

async function sizes(catalog: Catalog): Promise<number[]> {
  const found: number[] = [];
  for await (const { meta } of catalog.newestFirst()) {
    const at = (meta.endedAtMs ?? 0) - STARTED_MS;
    expect(meta).toEqual(entry(at, meta.recordedBytes));
    found.unshift(meta.recordedBytes);
  }
  return found;
}

async function keys(found: AsyncIterable<{ readonly meta: StoredMeta }>): Promise<string[]> {
  const all: string[] = [];
  for await (const { meta } of found) all.push(meta.info.key);
  return all;
}

async function outlines(catalog: Catalog): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const [month, some] of catalog.outlines()) for (const each of some) found.push([month, each]);
  return found;
}

describe('Catalog', () => {
  it('outlines entries with members in any order, replaced sizes and hostile texts', async () => {
    const catalog = new Catalog(root);
    const text = (at: number, bytes: number): string => JSON.stringify(entry(at, bytes));
    const fake = ',"endedAtMs":1,"recordedBytes":2,"lostBytes":3}';
    const { info, ...others } = entry(1, 20);
    await catalog.add(STARTED_MS, text(0, 1_000_000));
    await catalog.add(STARTED_MS, JSON.stringify({ ...others, info: { ...info, cwd: fake } }));
    await catalog.add(STARTED_MS, text(2, 30).replace('"clientName":null', `"clientName":"\\"${fake}"`));
    await catalog.resize(MONTH, new Map([[keyOf(0), 77]]));
    const outline = (at: number, recordedBytes: number): unknown => [
      MONTH,
      { key: keyOf(at), endedAtMs: STARTED_MS + at, recordedBytes },
    ];
    expect(await outlines(catalog)).toEqual([outline(2, 30), outline(1, 20), outline(0, 77)]);
  });

  it('outlines an entry that is damaged in its middle, but none whose key or end is damaged', async () => {
    const catalog = new Catalog(root);
    const whole = JSON.stringify(entry(0, 10));
    for (const line of [
      whole.slice(0, -20),
      whole.slice(30),
      whole.replace(keyOf(0), '../../../../etc'),
      whole.replace(keyOf(0), '__proto__'),
      'x',
      whole.replace('"argv"', '"arg'),
    ])
      await catalog.add(STARTED_MS, line);
    expect(await outlines(catalog)).toEqual([
      [MONTH, { key: keyOf(0), endedAtMs: STARTED_MS, recordedBytes: 10 }],
    ]);
  });

  it('outlines each of many entries once, across the blocks that are read', async () => {
    const catalog = new Catalog(root);
    const count = 1000;
    const added = Array.from({ length: count }, (_, at) =>
      catalog.add(STARTED_MS, JSON.stringify(entry(at, at))),
    );
    await Promise.all(added);
    const found = await outlines(catalog);
    expect(found).toHaveLength(count);
    expect(found.at(-1)).toMatchObject([MONTH, { key: keyOf(0) }]);
    expect(await sizes(catalog)).toEqual(Array.from({ length: count }, (_, at) => at));
  });

  it('replaces sizes in place, and returns their total growth', async () => {
    const catalog = new Catalog(root);
    for (const [at, bytes] of [1_000_000, 2_000_000, 3_000_000].entries())
      await catalog.add(STARTED_MS, JSON.stringify(entry(at, bytes)));
    const path = join(root, MONTH, 'catalog.jsonl');
    const { ino, size } = statSync(path);
    const changed = new Map([
      [keyOf(0), 77],
      [keyOf(2), 3_100_000],
      ['k-of-no-process1', 1],
    ]);
    expect(await catalog.resize(MONTH, changed)).toBe(77 - 1_000_000 + 100_000);
    expect(await sizes(catalog)).toEqual([77, 2_000_000, 3_100_000]);
    expect(statSync(path)).toMatchObject({ ino, size });
    expect(await catalog.resize(MONTH, new Map([[keyOf(0), 999_999]]))).toBe(999_922);
    expect(await sizes(catalog)).toEqual([999_999, 2_000_000, 3_100_000]);
    expect(statSync(path)).toMatchObject({ ino, size });
  });

  it('rewrites an entry that is too short for its new size', async () => {
    const catalog = new Catalog(root);
    for (const [at, bytes] of [9_999_999, 5].entries())
      await catalog.add(STARTED_MS, JSON.stringify(entry(at, bytes)));
    const changed = new Map([
      [keyOf(0), 10_300_000],
      [keyOf(1), 4],
    ]);
    expect(await catalog.resize(MONTH, changed)).toBe(300_000);
    expect(await sizes(catalog)).toEqual([10_300_000, 4]);
    expect(readFileSync(join(root, MONTH, 'catalog.jsonl'), 'utf8').split('\n')).toHaveLength(3);
  });

  it('[HS18] finds a process that ended late in the month in which it started', async () => {
    mkdirSync(join(root, '2026-10'));
    const catalog = new Catalog(root);
    const DAY_MS = 86_400_000;
    const add = async (at: number, startedAtMs: number, endedAtMs: number): Promise<void> => {
      const meta = storedMeta(keyOf(at), startedAtMs);
      await catalog.add(startedAtMs, JSON.stringify({ ...meta, endedAtMs }));
    };
    const begin = Date.UTC(2026, 9, 31);
    await add(0, begin, begin);
    await add(1, begin, begin + 28 * DAY_MS);
    await add(2, begin + 2 * DAY_MS, begin + 2 * DAY_MS);
    expect(await keys(catalog.newestFirst(null, begin + 20 * DAY_MS))).toEqual([keyOf(1)]);
    expect(await keys(catalog.endedSince(begin + 20 * DAY_MS))).toEqual([keyOf(1)]);
    expect(await keys(catalog.newestFirst())).toEqual([2, 1, 0].map(keyOf));
  });

  it('[HS18] finds processes whose entries precede late ones of processes that ended long before', async () => {
    const catalog = new Catalog(root);
    const HOUR_MS = 3_600_000;
    const metas = [10, 2, 3, 12, 4].map((hours, at) => ({
      ...storedMeta(keyOf(at), STARTED_MS),
      endedAtMs: STARTED_MS + hours * HOUR_MS,
    }));
    for (const meta of metas) await catalog.add(STARTED_MS, JSON.stringify(meta));
    const sinceMs = STARTED_MS + 9 * HOUR_MS;
    expect(await keys(catalog.newestFirst(null, sinceMs))).toEqual([3, 0].map(keyOf));
    expect(await keys(catalog.endedSince(sinceMs))).toEqual([3, 0].map(keyOf));
    for (const meta of metas) expect(await catalog.has(meta)).toBe(true);
  });
});
