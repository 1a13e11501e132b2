// Finds the lines of one segment that match a query, as text without control sequences, across chunks and streams.
import { readFileSync } from 'node:fs';
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { covered, masked, SecretStream } from '../../text/masking.ts';
import { coveredLine, plainLine } from '../../text/plain-text.ts';
import { eventsIn } from '../record/segment-events.ts';
import { decodeHead } from '../record/segment-format.ts';

export interface SegmentTask {
  readonly path: string;
  /** Path of the next segment, in which the last line may end; null for the newest segment. */
  readonly nextPath: string | null;
  /** True when the first line may begin in the previous segment, where it is found. */
  readonly hasPrevious: boolean;
  readonly query: LineQuery;
  readonly isRedacted: boolean;
  readonly limit: number;
  /** Number of the line before which to search; null: all lines. */
  readonly beforeLine: number | null;
}

export interface SegmentHit {
  /** Number of lines of the segment that end before the hit. */
  readonly linesBefore: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly atMs: number;
  /** Decoded bytes of output before the hit. */
  readonly offset: number;
  readonly seq: number;
}

export interface SegmentFound {
  /** Hits, newest first. */
  readonly hits: readonly SegmentHit[];
  readonly lines: number;
  /** True when there are older hits than these. */
  readonly isCut: boolean;
}

/** Bytes of the next segment that are searched for the end of the last line. */
const SEAM_BYTES = 4096;
/** Maximum number of characters of a hit's text; for a longer line, only the part around the match is returned. */
const TEXT_CHARS = 300;
const BEFORE_MATCH_CHARS = 60;
/** Maximum number of characters of a line that are searched. */
const LINE_CHARS = 64 * 1024;
// oxlint-disable-next-line no-control-regex -- these move the cursor, or begin a sequence
const CONTROLS = /[\b\r\u001b\u009b]/;

/** Returns the hits in a segment; none when it is unreadable. */
export function matchSegment(task: SegmentTask): SegmentFound {
  const { query, isRedacted, hasPrevious, limit } = task;
  const own = outputOf(task.path);
  const seam = task.nextPath === null ? '' : seamOf(outputOf(task.nextPath).text);
  const text = isRedacted ? withoutSecrets(own.text + seam) : own.text + seam;
  const expression = expressionOf(query);
  const isCandidate = candidates(query);
  const lineOf = isRedacted ? (line: string): string => coveredLine(line, masked) : plainLine;
  const hits: SegmentHit[] = [];
  const endLine = task.beforeLine ?? Number.POSITIVE_INFINITY;
  let [lines, isCut] = [0, false];
  // The line after the last newline belongs to this segment, since the next one skips its first line.
  for (let at = 0; at <= own.text.length && at < text.length && lines < endLine; lines += 1) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const raw = text.slice(at, Math.min(end, at + LINE_CHARS));
    if (isCandidate(raw) && !(hasPrevious && at === 0)) {
      const line = lineOf(Buffer.from(raw, 'latin1').toString('utf8'));
      const match = expression.exec(line);
      if (match) {
        hits.push({ linesBefore: lines, ...shown(line, match.index, match[0].length), ...own.placeOf(at) });
        if (hits.length > limit) {
          hits.shift();
          isCut = true;
        }
      }
    }
    if (newline < 0) break;
    at = newline + 1;
  }
  return { hits: hits.toReversed(), lines: countLines(own.text), isCut };
}

export const linesIn = (path: string): number => countLines(outputOf(path).text);

interface Output {
  /** Output with one character for each byte. */
  readonly text: string;
  placeOf(at: number): Pick<SegmentHit, 'seq' | 'atMs' | 'offset'>;
}

function outputOf(path: string): Output {
  const pieces: string[] = [];
  const places: (Pick<SegmentHit, 'seq' | 'atMs' | 'offset'> & { readonly start: number })[] = [];
  let start = 0;
  const bytes = bytesOf(path);
  const head = decodeHead(bytes);
  for (const event of head ? eventsIn(bytes, head).events : []) {
    if (event.kind !== 'output') continue;
    pieces.push(event.bytes.toString('latin1'));
    places.push({ start, seq: event.seq, atMs: event.atMs, offset: event.offset });
    start += event.bytes.length;
  }
  return {
    text: pieces.join(''),
    placeOf(at) {
      const { seq = 1, atMs = 0, offset = 0, start: begin = 0 } = places[lastAtOrBefore(places, at)] ?? {};
      return { seq, atMs, offset: offset + at - begin };
    },
  };
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function lastAtOrBefore(places: readonly { readonly start: number }[], at: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((places[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the rest of a line from the next segment. */
function seamOf(next: string): string {
  const newline = next.indexOf('\n');
  return next.slice(0, Math.min(newline < 0 ? SEAM_BYTES : newline + 1, SEAM_BYTES));
}

/** Returns a quick test of a line: a plain word must be in it literally, unless the line has control characters. */
function candidates({ text, isRegex, isCaseSensitive }: LineQuery): (line: string) => boolean {
  // oxlint-disable-next-line no-control-regex -- ASCII only, since other letters differ in bytes by case
  if (isRegex || !/^[\u0020-\u007e]+$/.test(text)) return () => true;
  const word = isCaseSensitive ? text : text.toLowerCase();
  return (line) => (isCaseSensitive ? line : line.toLowerCase()).includes(word) || CONTROLS.test(line);
}

function withoutSecrets(text: string): string {
  return covered(text, new SecretStream().next(text));
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function shown(text: string, start: number, length: number): Pick<SegmentHit, 'text' | 'start' | 'end'> {
  const end = start + length;
  if (text.length <= TEXT_CHARS) return { text, start, end };
  const from = Math.max(0, Math.min(start - BEFORE_MATCH_CHARS, text.length - TEXT_CHARS));
  return {
    text: text.slice(from, from + TEXT_CHARS),
    start: start - from,
    end: Math.min(end - from, TEXT_CHARS),
  };
}
