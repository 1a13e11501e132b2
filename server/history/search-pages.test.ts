// Tests of a search over several recordings: the order of their lines over all pages, and the bytes that it counts.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryEntry, HistorySearchResult } from '../../protocol/history.ts';
import { folderOf, indexPath, segmentName } from '../record/places.ts';
import { sealSegment } from '../record/seal.ts';
import { storedBytesOf } from '../record/segment-files.ts';
import { encodeCount } from '../record/segment-payloads.ts';
import { SegmentWriter } from '../record/segment-writer.ts';
import type { Candidates, Listed } from './candidates.ts';
import { matchSegment, type SegmentTask } from './match-segment.ts';
import { firstPlace } from './place.ts';
import { HistorySearch, type HistorySearchLimits } from './search.ts';
import { MERGED_RECORDINGS } from './search-place.ts';
import { linesOfSegment, writeIndex } from './segment-index.ts';
import { segmentAround } from './segment-text.ts';
import type { HistoryTasks } from './tasks.ts';

const MONTH = '2026-11';
const START_MS = Date.parse(`${MONTH}-10`);
const LIMITS: HistorySearchLimits = { historyPageMs: 60_000, historyHits: 200, searchMs: 1000 };

let root: string;
let listed: Listed[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pages-'));
  listed = [];
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a recording with one segment for each list of times, and one line at each time; returns their paths. */
function record(
  key: string,
  segments: readonly (readonly number[])[],
  { isLive = false, isLong = false } = {},
): string[] {
  const folder = folderOf(root, MONTH, key);
  mkdirSync(folder, { recursive: true });
  let [offset, seq] = [0, 1];
  const paths = segments.map((times, at) => {
    const path = join(folder, segmentName(at + 1));
    const wallMs = START_MS + (times[0] ?? 0);
    const head = { key, segment: at + 1, firstOffset: offset, wallMs, monotonicUs: 0, salt: 1 };
    const records = times.map((time) => {
      const payload = Buffer.from(`needle ${key} ${time}\n`);
      const output = { type: 'stdout' as const, payload, atMs: START_MS + time, offset };
      offset += payload.length;
      return output;
    });
    const filler = Buffer.from('no hit here\n'.repeat(10_000));
    if (isLong) records.push({ type: 'stdout', payload: filler, atMs: wallMs, offset });
    if (isLong) offset += filler.length;
    const place = { payload: encodeCount(seq), atMs: wallMs, offset: head.firstOffset };
    seq += records.length;
    SegmentWriter.writeWhole(path, head, [{ type: 'place', ...place }, ...records]);
    return path;
  });
  const endMs = START_MS + (segments.at(-1)?.at(-1) ?? 0);
  const entry = { key, startedAtMs: START_MS, recordedBytes: 5000 } as HistoryEntry;
  const place = {
    beginMs: firstPlace().beginMs,
    last: { kind: 'ended' as const, entry: { month: MONTH, offset: listed.length, key } },
  };
  listed.push({ entry, folder, endMs: isLive ? Number.POSITIVE_INFINITY : endMs, place });
  return paths;
}

/** Lists the recordings as the catalogue does, those that ended last first. */
const candidates: Pick<Candidates, 'from'> = {
  async *from({ last }, _, only) {
    const sorted = listed.toSorted((one, other) => (one.endMs < other.endMs ? 1 : -1));
    const after = last.kind === 'ended' ? (last.entry?.key ?? null) : null;
    const first = sorted.findIndex(({ entry }) => entry.key === after) + 1;
    for (const each of sorted.slice(first))
      if (only === undefined || each.entry.key === only) yield await Promise.resolve(each);
  },
};

const tasks = {
  ask: (kind: 'match' | 'count', task: unknown) =>
    Promise.resolve(kind === 'match' ? matchSegment(task as SegmentTask) : linesOfSegment(task as string)),
} as unknown as HistoryTasks;

async function pages(
  limits: Partial<HistorySearchLimits> = {},
  { text = 'needle', key }: { text?: string; key?: string } = {},
): Promise<HistorySearchResult[]> {
  const recorder = {
    root,
    storedBytes: 1_000_000,
    flushed: () => Promise.resolve(),
    recordedBytes: () => null,
  };
  const search = new HistorySearch({
    recorder,
    candidates,
    tasks,
    limits: { ...LIMITS, ...limits },
    entryOf: () => Promise.resolve(null),
  });
  const all: HistorySearchResult[] = [];
  let before: string | null = null;
  do {
    const filter = { ...(before !== null && { before }), ...(key !== undefined && { key }) };
    const options = { filter, isRedacted: false, isAborted: () => false };
    const page: HistorySearchResult = await search.page(
      { text, isRegex: false, isCaseSensitive: false },
      options,
    );
    all.push(page);
    ({ before } = page);
    if (all.length > 1000) throw new Error('the search does not end');
  } while (before !== null);
  return all;
}

const textsOf = (all: readonly HistorySearchResult[]): string[] =>
  all.flatMap(({ hits }) => hits.map(({ text }) => text.replace('needle ', '')));

describe('A search over recordings that overlap in time', () => {
  beforeEach(() => {
    record('long', [[1, 20], [40, 60], [90]]);
    record('short', [[15, 30, 50]]);
    record('live', [[5], [55, 95]], { isLive: true });
    record('old', [[0, 2, 3]]);
  });
  const ORDER =
    'live 95, long 90, long 60, live 55, short 50, long 40, short 30, long 20, short 15, live 5, old 3, old 2, long 1, old 0'.split(
      ', ',
    );

  it.each([1, 2, 3, 200])(
    '[HS9] returns their lines newest first, with up to %i on a page',
    async (historyHits) => {
      const all = await pages({ historyHits });
      expect(textsOf(all)).toEqual(ORDER);
      for (const { hits, processes } of all)
        expect(processes.map(({ key }) => key).toSorted()).toEqual(
          [...new Set(hits.map(({ key }) => key))].toSorted(),
        );
    },
  );

  it('[HS9] returns each line once when the time of a page has passed after each segment', async () => {
    const all = await pages({ historyPageMs: 0 });
    expect(textsOf(all).toSorted()).toEqual(ORDER.toSorted());
    for (const { hits } of all) {
      const times = hits.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((one, other) => other - one));
    }
  });

  it('[HS9] has every process of a search for one process only', async () => {
    expect(textsOf(await pages({ historyHits: 1 }, { key: 'long' }))).toEqual(
      ORDER.filter((text) => text.startsWith('long')),
    );
  });
});

it('[HS9] A search returns the lines of many running processes once each, and opens a limited number together', async () => {
  for (let process = 0; process < MERGED_RECORDINGS + 9; process += 1)
    record(`p${process}`, [[process], [100 + process]], { isLive: true });
  const all = await pages({ historyHits: 1 });
  expect(new Set(textsOf(all)).size).toBe(2 * (MERGED_RECORDINGS + 9));
  expect(textsOf(all)).toHaveLength(2 * (MERGED_RECORDINGS + 9));
  for (const { before } of all) expect((before ?? '').length).toBeLessThan(2000);
});

describe('[HS9] The searched and the unreadable bytes add up to the total', () => {
  const changes: Record<string, (paths: readonly string[]) => number> = {
    plain: () => 0,
    sealed: ([first = '', second = '']) => {
      for (const path of [first, second]) {
        const to = `${path}.new`;
        expect(sealSegment({ path, to })).not.toBeNull();
        renameSync(to, path);
      }
      return 0;
    },
    indexed: (paths) => {
      for (const [at, path] of paths.entries())
        writeIndex({ ...segmentAround(paths, at), to: indexPath(path) });
      return 0;
    },
    'missing segment': ([, second = '']) => {
      rmSync(second);
      return 0;
    },
    'damaged head and first record': ([first = '']) => {
      const bytes = readFileSync(first).fill(0, 0, 100);
      writeFileSync(first, bytes);
      return bytes.length;
    },
    'damaged output': ([first = '']) => {
      const bytes = readFileSync(first);
      writeFileSync(first, bytes.fill(0, bytes.length - 30, bytes.length - 10));
      return 0;
    },
    'evicted beginning': ([first = '']) => {
      rmSync(first);
      return 0;
    },
    'unreadable folder': ([first = '']) => {
      const folder = join(first, '..');
      rmSync(folder, { recursive: true });
      symlinkSync(folder, folder);
      return 5000;
    },
  };
  for (const [name, change] of Object.entries(changes))
    for (const [text, limits] of [
      ['needle', {}],
      ['needle', { historyHits: 1 }],
      ['nothing has this', { historyPageMs: 0 }],
    ] as const)
      it(`${name}, for ${text}, with ${JSON.stringify(limits)}`, async () => {
        const paths = record('changed', [[1, 2, 3], [4, 5], [6]], { isLong: name === 'sealed' });
        record('other', [[2, 5]], { isLive: true });
        const unreadable = change(paths);
        const all = await pages(limits, { text });
        const sum = (of: (page: HistorySearchResult) => number): number =>
          all.reduce((total, page) => total + of(page), 0);
        const [searched, unread] = [sum((page) => page.searchedBytes), sum((page) => page.unreadableBytes)];
        expect(all.at(-1)?.totalBytes).toBe(searched + unread);
        expect(unread).toBe(unreadable);
        const isListed = name !== 'unreadable folder';
        const folders = listed
          .filter(({ entry }) => isListed || entry.key === 'other')
          .map((each) => each.folder);
        const onDisk = folders.flatMap((folder) =>
          readdirSync(folder)
            .filter((file) => file.endsWith('.xcr'))
            .map((file) => storedBytesOf(join(folder, file))),
        );
        expect(searched + unread).toBe(
          onDisk.reduce((total, bytes) => total + bytes, isListed ? 0 : unreadable),
        );
        // Earlier pages never claim that more is covered than there is.
        let covered = 0;
        for (const page of all) {
          covered += page.searchedBytes + page.unreadableBytes;
          expect(page.totalBytes).toBeGreaterThanOrEqual(covered);
        }
      });
});
