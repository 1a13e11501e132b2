// Tests of the search in a recording with a segment whose output is damaged.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { indexPath, segmentName } from '../record/places.ts';
import { encodeCount } from '../record/segment-payloads.ts';
import { SegmentWriter } from '../record/segment-writer.ts';
import { matchSegment } from './match-segment.ts';
import { writeIndex } from './segment-index.ts';
import { segmentAround } from './segment-text.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'damaged-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const TEXTS = ['first\n', 'second\n', 'third\nfourth\n'];

it.each([false, true])('[HS6] The first line after a damaged segment is found (index: %s)', (isIndexed) => {
  let offset = 0;
  const paths = TEXTS.map((text, at) => {
    const path = join(folder, segmentName(at + 1));
    const head = { key: 'k', segment: at + 1, firstOffset: offset, wallMs: 0, monotonicUs: 0, salt: 1 };
    SegmentWriter.writeWhole(path, head, [
      { type: 'place', payload: encodeCount(at + 1), atMs: at, offset },
      { type: 'stdout', payload: Buffer.from(text), atMs: at, offset },
    ]);
    offset += text.length;
    return path;
  });
  for (const [at, path] of isIndexed ? paths.entries() : [])
    writeIndex({ ...segmentAround(paths, at), to: indexPath(path) });
  const [, second = ''] = paths;
  writeFileSync(second, readFileSync(second).fill(0, 0, 16));
  const found = (text: string): unknown[] =>
    paths.flatMap((_, at) => {
      const query = { text, isRegex: false, isCaseSensitive: false };
      const options = { query, isRedacted: false, limit: 10, beforeLine: null };
      return matchSegment({ ...segmentAround(paths, at), ...options }).hits;
    });
  expect(found('first')).toMatchObject([{ text: 'first', seq: 1, atMs: 0, offset: 0 }]);
  expect(found('second')).toEqual([]);
  expect(found('third')).toMatchObject([{ text: 'third', seq: 3, atMs: 2, offset: 13 }]);
  expect(found('fourth')).toMatchObject([{ text: 'fourth', seq: 3, atMs: 2, offset: 19 }]);
});
