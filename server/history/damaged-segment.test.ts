// Tests of the search in a recording with a segment whose output is damaged, or which the system cannot read.
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { indexPath, segmentName } from '../record/places.ts';
import { sealSegment } from '../record/seal.ts';
import { HEAD_BYTES } from '../record/segment-format.ts';
import { encodeCount } from '../record/segment-payloads.ts';
import { SegmentWriter } from '../record/segment-writer.ts';
import { matchSegment, type SegmentFound } from './match-segment.ts';
import { linesOfSegment, writeIndex } from './segment-index.ts';
import { segmentAround } from './segment-text.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'damaged-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const TEXTS = ['first\n', 'second\n', 'third\nfourth\n'];

function segments(): string[] {
  let offset = 0;
  return TEXTS.map((text, at) => {
    const path = join(folder, segmentName(at + 1));
    const head = { key: 'k', segment: at + 1, firstOffset: offset, wallMs: 0, monotonicUs: 0, salt: 1 };
    SegmentWriter.writeWhole(path, head, [
      { type: 'place', payload: encodeCount(at + 1), atMs: at, offset },
      { type: 'stdout', payload: Buffer.from(text), atMs: at, offset },
    ]);
    offset += text.length;
    return path;
  });
}

function searchedIn(paths: readonly string[], at: number, text: string): SegmentFound {
  const query = { text, isRegex: false, isCaseSensitive: false };
  const options = { query, isRedacted: false, limit: 10, beforeLine: null };
  return matchSegment({ ...segmentAround(paths, at), ...options });
}

it.each([false, true])('[HS6] The first line after a damaged segment is found (index: %s)', (isIndexed) => {
  const paths = segments();
  for (const [at, path] of isIndexed ? paths.entries() : [])
    writeIndex({ ...segmentAround(paths, at), to: indexPath(path) });
  const [, second = ''] = paths;
  // The head could be derived from the first record, so both are damaged.
  writeFileSync(second, readFileSync(second).fill(0, 0, HEAD_BYTES + 1));
  const found = (text: string): unknown[] => paths.flatMap((_, at) => searchedIn(paths, at, text).hits);
  expect(found('first')).toMatchObject([{ text: 'first', seq: 1, atMs: 0, offset: 0 }]);
  expect(found('second')).toEqual([]);
  expect(found('third')).toMatchObject([{ text: 'third', seq: 3, atMs: 2, offset: 13 }]);
  expect(found('fourth')).toMatchObject([{ text: 'fourth', seq: 3, atMs: 2, offset: 19 }]);
});

it('[HS6] A search finds the lines of a segment with a damaged head', () => {
  const paths = segments();
  const [, second = ''] = paths;
  writeFileSync(second, readFileSync(second).fill(0, 0, HEAD_BYTES));
  const hits = paths.flatMap((_, at) => searchedIn(paths, at, 'second').hits);
  expect(hits).toMatchObject([{ text: 'second', seq: 2, atMs: 1, offset: 6 }]);
});

it('[HS17] The lines of a segment that is damaged after it was indexed still count', () => {
  const paths = segments();
  const [, second = ''] = paths;
  writeIndex({ ...segmentAround(paths, 1), to: indexPath(second) });
  const whole = linesOfSegment(second);
  writeFileSync(second, readFileSync(second).fill(0, HEAD_BYTES));
  expect(linesOfSegment(second)).toEqual(whole);
  rmSync(indexPath(second));
  expect(linesOfSegment(second)).toMatchObject({ lines: 0, start: null });
});

it('[HS6] A search reports a segment that the system cannot read, and finds the lines of those around it', () => {
  const paths = segments();
  const [first = '', second = ''] = paths;
  rmSync(second);
  symlinkSync(second, second);
  expect(searchedIn(paths, 1, 'second')).toEqual({
    hits: [],
    start: null,
    fromMs: null,
    bytes: 0,
    unreadBytes: 0,
    isCut: false,
    isRead: false,
  });
  expect(searchedIn(paths, 0, 'first')).toMatchObject({ hits: [{ text: 'first' }], isRead: false });
  expect(searchedIn(paths, 2, 'fourth')).toMatchObject({ hits: [{ text: 'fourth' }], isRead: true });
  expect(paths.map((path) => linesOfSegment(path)?.lines ?? null)).toEqual([1, null, 2]);
  // An index without the rest of its segment's last line would make later searches miss that line.
  expect(() => writeIndex({ ...segmentAround(paths, 0), to: indexPath(first) })).toThrow('ELOOP');
});

it.each([
  ['plain', false],
  ['plain', true],
  ['sealed', true],
])(
  '[HS6] [HS17] A line after damage in a %s segment with an index is found (masked: %s)',
  (form, isRedacted) => {
    // The line is in the second block of the index; if the damaged output did not count, it would be in the first.
    const text = `${'another line of\n'.repeat(18_000)}a needle in here\n`.padEnd(
      600_000,
      'another line of\n',
    );
    const path = join(folder, segmentName(1));
    const head = { key: 'k', segment: 1, firstOffset: 0, wallMs: 0, monotonicUs: 0, salt: 1 };
    const records = Array.from({ length: 10 }, (_, at) => {
      const payload = Buffer.from(text.slice(at * 60_000, (at + 1) * 60_000));
      return { type: 'stdout', payload, atMs: at, offset: at * 60_000 } as const;
    });
    SegmentWriter.writeWhole(path, head, records);
    writeIndex({ ...segmentAround([path], 0), to: indexPath(path) });
    if (form === 'sealed') {
      sealSegment({ path, to: `${path}.new` });
      renameSync(`${path}.new`, path);
    }
    const bytes = readFileSync(path);
    // The middle of the first record, or the first byte of the first frame, which follows the table.
    const at = form === 'sealed' ? bytes.readUInt32LE(4) : 30_000;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const query = { text: 'needle', isRegex: false, isCaseSensitive: false };
    const task = { ...segmentAround([path], 0), query, isRedacted, limit: 10, beforeLine: null };
    expect(matchSegment(task).hits).toMatchObject([{ text: 'a needle in here', offset: 288_000 }]);
  },
);
