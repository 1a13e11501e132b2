// Tests of the search in lines with a gap: a match never spans it, and both sides are found.
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexPath, segmentName } from '../record/places.ts';
import { sealSegment } from '../record/seal.ts';
import { encodeCount } from '../record/segment-payloads.ts';
import { SegmentWriter } from '../record/segment-writer.ts';
import { matchSegment, type SegmentFound } from './match-segment.ts';
import { writeIndex } from './segment-index.ts';
import { segmentAround } from './segment-text.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'gaps-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a segment with these pieces of output, each with its offset and a seq; returns its path. */
function segment(number: number, pieces: readonly (readonly [offset: number, text: string])[]): string {
  const path = join(folder, segmentName(number));
  const firstOffset = pieces[0]?.[0] ?? 0;
  const head = { key: 'k', segment: number, firstOffset, wallMs: 0, monotonicUs: 0, salt: 1 };
  const records = pieces.flatMap(([offset, text], at) => [
    { type: 'place', payload: encodeCount(10 * number + at), atMs: 0, offset } as const,
    { type: 'stdout', payload: Buffer.from(text), atMs: 0, offset } as const,
  ]);
  SegmentWriter.writeWhole(path, head, records);
  return path;
}

function seal(path: string): void {
  sealSegment({ path, to: `${path}.new` });
  renameSync(`${path}.new`, path);
}

/** Returns the seq of the piece that begins with the second word. */
const seqOfTwo = (where: string): number =>
  where === 'in a segment' ? 11 : where === 'where segments were removed' ? 40 : 20;

const FILLER = 'other text of the log\n'.repeat(2000);

describe.each([
  ['plain', false],
  ['plain', true],
  ['sealed', true],
])('In a %s recording (with an index: %s)', (form, isIndexed) => {
  /** The recordings in which `one then two` is a line, except for output that is missing after the first word. */
  const recordings: Record<string, () => string[]> = {
    'in a segment': () => [
      segment(1, [
        [0, `${FILLER}one `],
        [50_000, `then two\n${FILLER}`],
      ]),
    ],
    'between adjacent segments': () => [
      segment(1, [[0, `${FILLER}one `]]),
      segment(2, [[50_000, `then two\n${FILLER}`]]),
    ],
    'where segments were removed': () => [
      segment(1, [[0, `${FILLER}one `]]),
      segment(4, [[50_000, `then two\n${FILLER}`]]),
    ],
    'after the end of a line': () => [
      segment(1, [[0, `${FILLER}one \n`]]),
      segment(2, [[50_000, `then two\n${FILLER}`]]),
    ],
  };

  it.each(Object.keys(recordings))('[HS9] a line ends at a gap %s', (where) => {
    const paths = recordings[where]?.() ?? [];
    for (const [at, path] of isIndexed ? paths.entries() : [])
      writeIndex({ ...segmentAround(paths, at), to: indexPath(path) });
    if (form === 'sealed') for (const path of paths) seal(path);
    for (const isRedacted of [false, true]) {
      const found = (text: string, isRegex = false, limit = 10): SegmentFound['hits'] =>
        paths.flatMap((_, at) => {
          const query = { text, isRegex, isCaseSensitive: false };
          const task = { ...segmentAround(paths, at), query, isRedacted, limit, beforeLine: null };
          return matchSegment(task).hits;
        });
      expect(found('one then two')).toEqual([]);
      expect(found('one.*two', true)).toEqual([]);
      // The first word after a gap may be the rest of a secret, so it is masked.
      const text = isRedacted ? '**** two' : 'then two';
      expect(found('^.{4} two$', true)).toMatchObject([{ text, offset: 50_000 }]);
      expect(found('two')).toMatchObject([{ text, offset: 50_000, seq: seqOfTwo(where), linesAfterGap: 0 }]);
      expect(found('one ?$', true)).toMatchObject([{ offset: FILLER.length }]);
      expect(found('one|two', true)).toHaveLength(2);
    }
  });
});

it('[HS9] Both hits in a line with a gap are on one page', () => {
  const path = segment(1, [
    [0, 'hit 1\nhit 2 '],
    [100, 'hit 3\nhit 4\n'],
  ]);
  const query = { text: 'hit', isRegex: false, isCaseSensitive: false };
  const task = { ...segmentAround([path], 0), query, isRedacted: false, limit: 2 };
  const page = matchSegment({ ...task, beforeLine: null });
  expect(page.hits.map(({ text }) => text.trim())).toEqual(['hit 4', 'hit 3', 'hit 2']);
  expect(page.isCut).toBe(true);
  const next = matchSegment({ ...task, beforeLine: page.hits.at(-1)?.linesBefore ?? null });
  expect(next.hits.map(({ text }) => text)).toEqual(['hit 1']);
});

it('[HS9] a hit far behind a gap in a sealed segment with an index is counted from the gap', () => {
  const pieces = ['rest\n', ...Array.from({ length: 15 }, () => FILLER), 'needle\n'];
  let offset = 50_000;
  const behind = pieces.map((text) => {
    offset += text.length;
    return [offset - text.length, text] as const;
  });
  const path = segment(1, [[0, 'one\ntwo '], ...behind]);
  writeIndex({ ...segmentAround([path], 0), to: indexPath(path) });
  seal(path);
  const query = { text: 'needle', isRegex: false, isCaseSensitive: false };
  const task = { ...segmentAround([path], 0), query, limit: 10, beforeLine: null };
  const hits = [false, true].map((isRedacted) => matchSegment({ ...task, isRedacted }).hits);
  // The rest of the interrupted line is the first line after the gap.
  for (const found of hits) expect(found).toMatchObject([{ text: 'needle', linesAfterGap: 1 + 15 * 2000 }]);
});
