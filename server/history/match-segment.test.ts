// Compares matches in segments with those found by reading line by line.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Dice } from '../../client/testing/dice.ts';
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { plainLine } from '../../text/plain-text.ts';
import { indexPath, segmentName, segmentNumber } from '../record/places.ts';
import { sealSegment } from '../record/seal.ts';
import { SegmentWriter } from '../record/segment-writer.ts';
import { matchSegment, type SegmentHit, type SegmentTask } from './match-segment.ts';
import { linesOfSegment, readIndex, writeIndex } from './segment-index.ts';
import { segmentAround } from './segment-text.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'match-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const PIECE_BYTES = 1000;

/** Writes the output as segments of records of `PIECE_BYTES`, and returns their paths. */
function segmentsOf(output: Buffer, segmentBytes: number): string[] {
  const paths: string[] = [];
  for (let from = 0; from < output.length; from += segmentBytes) {
    const path = join(folder, segmentName(paths.length + 1));
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

/** Returns the matching lines, newest first. */
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

/** Returns all hits, read in pages of `limit`. */
function inSegments(paths: readonly string[], query: LineQuery, limit: number, isRedacted = false): Found[] {
  const lines = paths.map((path) => matchLines(path));
  return paths.toReversed().flatMap((_, newer) => {
    const at = paths.length - 1 - newer;
    const before = lines.slice(0, at).reduce((sum, each) => sum + each, 0);
    const hits: Found[] = [];
    for (let beforeLine: number | null = null; ;) {
      const task: SegmentTask = {
        ...segmentAround(paths, at),
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
  const start = ((segmentNumber(basename(path)) ?? 0) - 1) * SEGMENT_BYTES;
  return (
    output
      .subarray(start, start + SEGMENT_BYTES)
      .toString('latin1')
      .split('\n').length - 1
  );
};

function index(paths: readonly string[]): void {
  for (const [at, path] of paths.entries()) writeIndex({ ...segmentAround(paths, at), to: indexPath(path) });
}

function seal(paths: readonly string[]): void {
  for (const path of paths) {
    const to = `${path}.new`;
    expect(sealSegment({ path, to })).not.toBeNull();
    renameSync(to, path);
  }
}

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
    ['a word that a sequence splits', text('Quick Brown')],
    ['a word with its case', text('ERROR', true)],
    ['a word in an overwritten line', text('error t')],
    ['overwritten text, which is not found', text('10%\u001b')],
    ['a tab as a space', text('% timeout')],
    ['letters of other alphabets', text('GRÖSSE')],
    ['a single line', text('12345 ')],
    ['an expression with a literal part', regex('^\\d+ ERROR t.*t$')],
    ['an expression without one', regex('(quick|[0-9]7 c)')],
    ['empty lines', regex('^\\d* $')],
    ['nothing', text('absent')],
  ])('finds %s in the same lines as a search line by line', (_, query) => {
    const paths = segmentsOf(output, SEGMENT_BYTES);
    const expected = lineByLine(query);
    expect(inSegments(paths, query, 100_000)).toEqual(expected);
    expect(inSegments(paths, query, 499)).toEqual(expected);
    index(paths);
    expect(inSegments(paths, query, 100_000)).toEqual(expected);
    expect(inSegments(paths, query, 499)).toEqual(expected);
    seal(paths);
    expect(inSegments(paths, query, 100_000)).toEqual(expected);
    expect(inSegments(paths, query, 499)).toEqual(expected);
    for (const path of paths) rmSync(indexPath(path));
    expect(inSegments(paths, query, 499)).toEqual(expected);
    index(paths);
    expect(inSegments(paths, query, 499)).toEqual(expected);
    expect(paths.map((path) => linesOfSegment(path)?.lines)).toEqual(paths.map(matchLines));
  });

  it.each([false, true])('[HS17] finds any part of any line by its index, sealed: %s', (isSealed) => {
    const paths = segmentsOf(output, SEGMENT_BYTES);
    index(paths);
    if (isSealed) seal(paths);
    const dice = new Dice(3);
    const lines = output
      .toString()
      .split('\n')
      .map((line) => plainLine(line.replace(/\r+$/, '')));
    for (let round = 0; round < 40; round += 1) {
      const line = dice.pick(0, lines.length - 2);
      const wanted = lines[line]?.slice(dice.pick(0, 6)) ?? '';
      if (wanted.length < 3) continue;
      const found = inSegments(paths, text(wanted), 100_000);
      expect(found.map((hit) => hit.line)).toContain(line);
    }
  });

  it.each([40_000, 1])(
    '[HS9] finds the end of a long line that begins %i bytes before a segment border',
    (before) => {
      const long = `${'x'.repeat(60_000)} needle\n`;
      const rest = 'short\n'.repeat(80_000);
      const paths = segmentsOf(Buffer.from(`${rest.slice(0, 200_000 - before)}\n${long}${rest}`), 200_000);
      const found = (): number => inSegments(paths, text('needle'), 100).length;
      expect(found()).toBe(1);
      index(paths);
      expect(found()).toBe(1);
      seal(paths);
      expect(found()).toBe(1);
    },
  );

  it('[HS19] finds the same places in the few frames of a sealed segment that an index names', () => {
    // Some lines are longer than a frame, and few blocks contain hits.
    const dice = new Dice(9);
    const made = Array.from({ length: 30_000 }, (_, at) => {
      const long = dice.chance(0.0005) ? 'x'.repeat(dice.pick(100_000, 400_000)) : '';
      return `${at} ${dice.random().toString(36)} ${long}${dice.chance(0.0005) ? 'needle' : ''}\n`;
    });
    const paths = segmentsOf(Buffer.from(made.join('')), 3_000_000);
    index(paths);
    const plain = inSegments(paths, text('needle'), 100_000);
    expect(plain.length).toBeGreaterThan(5);
    seal(paths);
    expect(inSegments(paths, text('needle'), 100_000)).toEqual(plain);
  });

  it.each([false, true])('does not read a segment whose index rules it out, masked: %s', (isRedacted) => {
    const paths = segmentsOf(output, SEGMENT_BYTES);
    index(paths);
    for (const path of paths) rmSync(path);
    segmentsOf(
      Buffer.from(output.toString('latin1').replaceAll('compiled', 'absentee'), 'latin1'),
      SEGMENT_BYTES,
    );
    expect(inSegments(paths, text('absentee'), 100_000, isRedacted)).toEqual([]);
    for (const path of paths) rmSync(indexPath(path));
    expect(inSegments(paths, text('absentee'), 100_000, isRedacted)).toHaveLength(4800);
  });

  it.each([
    ['damaged', (bytes: Buffer) => bytes.fill(0, 5000, 6000)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 5000)],
    ['of another format', (bytes: Buffer) => bytes.fill('XCI0', 0, 4)],
    ['of another segment', (bytes: Buffer) => bytes.fill(1, 4, 5)],
    ['empty', () => Buffer.alloc(0)],
  ])('[HS17] reads a segment whose index is %s', (_, spoil) => {
    const paths = segmentsOf(output, SEGMENT_BYTES);
    index(paths);
    for (const path of paths) writeFileSync(indexPath(path), spoil(readFileSync(indexPath(path))));
    expect(paths.map(readIndex)).toEqual(paths.map(() => null));
    expect(inSegments(paths, text('quick brown'), 100_000)).toEqual(lineByLine(text('quick brown')));
    expect(paths.map((path) => linesOfSegment(path)?.lines)).toEqual(paths.map(matchLines));
  });

  it('finds the same with masking when there are no secrets', () => {
    const paths = segmentsOf(output, SEGMENT_BYTES);
    for (const query of [text('quick brown'), text('ERROR t'), regex('[0-9]7 c')])
      expect(inSegments(paths, query, 100_000, true)).toEqual(lineByLine(query));
  });

  describe('for a reader who sees no secrets', () => {
    const SECRET = 'tihd7jgnoafupb1w';
    /** Returns an expression that takes practically forever on a line with the literal. */
    const endless = (literal: string): LineQuery => regex(`${'.*'.repeat(40)}${literal}.*~$`);

    it.each([
      ['as it is', `login db_password=${SECRET} ${'done '.repeat(40)}`],
      [
        'in two colours',
        `db_password=${SECRET.slice(0, 4)}\u001b[1m${SECRET.slice(4)} ${'done '.repeat(40)}`,
      ],
      ['over other text', `xx\rdb_password=${SECRET} ${'done '.repeat(40)}`],
      ['letter by letter', `db_pasx\u0008sword=${SECRET} ${'done '.repeat(40)}`],
    ])('[HS10] never runs an expression because of the letters of a secret that is printed %s', (_, line) => {
      const paths = segmentsOf(Buffer.from(`${line}\n`.repeat(3)), SEGMENT_BYTES);
      for (const literal of ['password=tihd', 'tihd7jgno', 'password=tihe'])
        expect(inSegments(paths, endless(literal), 10, true)).toEqual([]);
      index(paths);
      expect(inSegments(paths, endless('password=tihd'), 10, true)).toEqual([]);
      expect(inSegments(paths, text('password=****'), 10, true)).toHaveLength(3);
    });

    it.each([
      ['as it is', (secret: string) => `login db_password=${secret} done`],
      ['in two colours', (secret: string) => `db_password=${secret.slice(0, 4)}\u001b[1m${secret.slice(4)}`],
      ['over other text', (secret: string) => `xx\rdb_password=${secret} done`],
      ['letter by letter', (secret: string) => `db_pasx\u0008sword=${secret} done`],
      ['and overwritten', (secret: string) => `db_password=${secret}\rdone`],
      ['across two segments', (secret: string) => `${'x'.repeat(SEGMENT_BYTES - 35)} db_password=${secret}`],
    ])('[HS10] has the same index whatever the letters of a secret that is printed %s', (_, lineOf) => {
      const [one, other] = [SECRET, 'q9zk3vx8wyq5m0ej'].map((secret) => {
        const paths = segmentsOf(Buffer.from(`${lineOf(secret)}\n`), SEGMENT_BYTES);
        index(paths);
        const indexes = paths.map(readIndex);
        for (const path of paths) for (const each of [path, indexPath(path)]) rmSync(each);
        return indexes;
      });
      expect(one?.length).toBeGreaterThan(0);
      expect(one?.map((each) => each?.rows)).not.toEqual(other?.map((each) => each?.rows));
      expect(one?.map((each) => each?.maskedRows)).toEqual(other?.map((each) => each?.maskedRows));
    });

    it('[HS10] [HS17] finds the same lines with the index as without it', () => {
      const dice = new Dice(4);
      const secret = (): string => `${SECRET}${dice.pick(1000, 9999)}`;
      const lines = Array.from({ length: 9000 }, (_, at) => {
        const [one, two] = [secret(), secret()];
        const forms = [
          `${at} plain words ${dice.random().toString(36)}`,
          `${at} db_password=${one} TOKEN_SECRET="${two} ${at}" after`,
          `${at} db_password=${one.slice(0, 5)}\u001b[1m${one.slice(5)} bold`,
          `${at} old\rdb_pasx\u0008sword=${one} drawn`,
        ];
        return `${forms[dice.pick(0, 9)] ?? forms[0]}\n`;
      });
      const paths = segmentsOf(Buffer.from(lines.join('')), SEGMENT_BYTES);
      const queries = [
        '17 plain',
        'password=****',
        ' after',
        '" after',
        'bold',
        'drawn',
        SECRET.slice(0, 6),
        '4321 ',
      ];
      const found = (): unknown[] => queries.map((each) => inSegments(paths, text(each), 100_000, true));
      const expected = found();
      expect(expected.map((hits) => (hits as Found[]).length > 0)).toEqual([
        true,
        true,
        true,
        true,
        true,
        true,
        false,
        true,
      ]);
      index(paths);
      expect(found()).toEqual(expected);
    });
  });
});
