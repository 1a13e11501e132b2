// Matches in segments against those found line by line in the whole output.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { plainLine } from '../../text/plain-text.ts';
import { SegmentWriter } from '../record/segment-writer.ts';
import { matchSegment, type SegmentHit, type SegmentTask } from './match-segment.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'match-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const PIECE_BYTES = 1000;

/** Writes the output as segments of so many bytes, each in records of `PIECE_BYTES`; their paths. */
function segmentsOf(output: Buffer, segmentBytes: number): string[] {
  const paths: string[] = [];
  for (let from = 0; from < output.length; from += segmentBytes) {
    const path = join(folder, String(paths.length));
    const head = {
      key: 'k',
      segment: paths.length + 1,
      firstOffset: from,
      wallMs: 0,
      monotonicUs: 0,
      salt: 1,
    };
    const writer = SegmentWriter.create(path, head);
    const own = output.subarray(from, from + segmentBytes);
    for (let at = 0; at < own.length; at += PIECE_BYTES) {
      const payload = own.subarray(at, at + PIECE_BYTES);
      writer.appendSync([{ type: 'pty', atMs: 5, offset: from + at, payload }]);
    }
    void writer.close();
    paths.push(path);
  }
  return paths;
}

const LINES = [
  'the quick \u001b[1mbr\u001b[0mown fox\r',
  'a  Größe of 20%\ttimeout after 5 s\r',
  '10%\r20%\r\u001b[KERROR timeout\r',
  'compiled src/index.ts',
  '',
];
const output = Buffer.from(Array.from({ length: 24_000 }, (_, at) => `${at} ${LINES[at % 5]}\n`).join(''));
const SEGMENT_BYTES = 400_001;

interface Found extends Pick<SegmentHit, 'text' | 'start' | 'end' | 'offset'> {
  readonly line: number;
}

/** The newest first. */
function lineByLine(query: LineQuery): Found[] {
  const expression = expressionOf(query);
  const found: Found[] = [];
  let offset = 0;
  for (const [line, raw] of output.toString().split('\n').slice(0, -1).entries()) {
    const text = plainLine(raw.replace(/\r+$/, ''));
    const match = expression.exec(text);
    if (match) found.push({ line, text, start: match.index, end: match.index + match[0].length, offset });
    offset += Buffer.byteLength(raw) + 1;
  }
  return found.toReversed();
}

/** All hits, `limit` of a segment at a time. */
function inSegments(paths: readonly string[], query: LineQuery, limit: number, isRedacted = false): Found[] {
  const lines = paths.map((path) => matchLines(path));
  return paths.toReversed().flatMap((path, newer) => {
    const at = paths.length - 1 - newer;
    const before = lines.slice(0, at).reduce((sum, each) => sum + each, 0);
    const hits: Found[] = [];
    for (let beforeLine: number | null = null; ;) {
      const task: SegmentTask = {
        path,
        nextPath: paths[at + 1] ?? null,
        hasPrevious: at > 0,
        query,
        isRedacted,
        limit,
        beforeLine,
      };
      const { hits: page, isCut } = matchSegment(task);
      for (const { linesBefore, text, start, end, offset } of page)
        hits.push({ line: before + linesBefore, text, start, end, offset });
      if (!isCut) return hits;
      beforeLine = page.at(-1)?.linesBefore ?? 0;
    }
  });
}

const matchLines = (path: string): number => {
  const start = Number(path.slice(folder.length + 1)) * SEGMENT_BYTES;
  return (
    output
      .subarray(start, start + SEGMENT_BYTES)
      .toString('latin1')
      .split('\n').length - 1
  );
};

const text = (wanted: string, isCaseSensitive = false): LineQuery => ({
  text: wanted,
  isRegex: false,
  isCaseSensitive,
});
const regex = (wanted: string, isCaseSensitive = false): LineQuery => ({
  text: wanted,
  isRegex: true,
  isCaseSensitive,
});

describe('matchSegment', () => {
  it.each([
    ['a word that a sequence parts', text('Quick Brown')],
    ['a word in its case', text('ERROR', true)],
    ['a word in a line that was written over', text('error t')],
    ['what was overwritten, which is nowhere', text('10%\u001b')],
    ['a tab as a space', text('% timeout')],
    ['letters of other alphabets', text('GRÖSSE')],
    ['one line of all', text('12345 ')],
    ['an expression with a literal part', regex('^\\d+ ERROR t.*t$')],
    ['an expression without one', regex('(quick|[0-9]7 c)')],
    ['empty lines', regex('^\\d* $')],
    ['nothing', text('absent')],
  ])('finds %s in the same lines as a reading line by line', (_, query) => {
    const paths = segmentsOf(output, SEGMENT_BYTES);
    const expected = lineByLine(query);
    expect(inSegments(paths, query, 100_000)).toEqual(expected);
    expect(inSegments(paths, query, 499)).toEqual(expected);
  });

  it('finds the same where secrets are covered and there are none', () => {
    const paths = segmentsOf(output, SEGMENT_BYTES);
    for (const query of [text('quick brown'), text('ERROR t'), regex('[0-9]7 c')])
      expect(inSegments(paths, query, 100_000, true)).toEqual(lineByLine(query));
  });
});
