// The output of one segment as text with one character per byte, and the place of each byte.
import type { Stream } from '../../protocol/process.ts';
import type { RecordedEvent } from '../record/event.ts';
import { numberOf } from '../record/segment-files.ts';
import { contentOf, withFrames, type SegmentContent } from '../record/segment-content.ts';
import { eventsIn, NOTHING } from '../record/segment-events.ts';
import { HEAD_BYTES, isOutput, recordsIn } from '../record/segment-format.ts';
import { BLOCK_BYTES } from './line-blocks.ts';
import type { PartedText, TextPart } from './masked-text.ts';
import { joinedCount, NO_LINES, type LineCount } from './line-count.ts';
import { OutputGaps } from './output-gaps.ts';
import { LINE_CHARS } from './plain-view.ts';

/** A segment, and those of the same recording around it. */
export interface SegmentAround {
  readonly path: string;
  /** The next segment, in which this segment's last line may end; null for the last one. */
  readonly nextPath: string | null;
  /** True when segments between this one and the next were removed; an index then does not cover the last line. */
  readonly hasGap: boolean;
  /** True when the first line may begin in the previous segment; it is then searched together with that segment. */
  readonly hasPrevious: boolean;
  /** The previous segment; null when there is none, or when it was removed. */
  readonly previousPath: string | null;
}

/** Place of a byte: its event, the time of the event, and the bytes of all output before the byte. */
export interface TextPlace {
  readonly seq: number;
  readonly atMs: number;
  readonly offset: number;
}

/** Output of a segment, followed by the rest of its last line from the next one. */
export interface SegmentText extends PartedText {
  /** Length of the segment's own output. */
  readonly ownLength: number;
  readonly plainBytes: number;
  /** True when some of the segment's own output is damaged; lines are then not in the blocks of the index. */
  readonly isDamaged: boolean;
  /** Bytes of all output before the segment's first; null without output. */
  readonly start: number | null;
  /** Time at which the segment was begun; null without a valid head. */
  readonly fromMs: number | null;
  /** Places in the text before which output is missing, in order; only those between pieces that were read. */
  readonly gaps: readonly number[];
  readonly placeOf: (at: number) => TextPlace;
  /** Returns the number of line feeds before a byte. */
  readonly linesBefore: (at: number) => number;
}

/** Bytes of the next file that are read for the rest of a last line; only `LINE_CHARS` of the rest are searched. */
const SEAM_FILE_BYTES = 4 * LINE_CHARS;
const LINE_FEED = 10;

/**
 * Reads a segment; a missing or foreign one has no text. `nextPath` is the segment in which this segment's last line
 * may end.
 */
export function segmentText(path: string, nextPath: string | null): SegmentText {
  const pieces: Buffer[] = [];
  const places: StartOfEvent[] = [];
  const parts: TextPart[] = [];
  const gaps = new OutputGaps();
  let start = 0;
  const { head, bytes, plainBytes } = contentOf(path);
  const { events, isDamaged } = head ? eventsIn(bytes, head) : NOTHING;
  for (const event of events) {
    if (event.kind !== 'output') continue;
    const { stream, seq, atMs, offset } = event;
    pieces.push(event.bytes);
    places.push({ start, seq, atMs, offset });
    parts.push({ stream, start, end: start + event.bytes.length, offset });
    start = gaps.add(event);
  }
  const ownLength = start;
  for (const piece of nextPath === null ? [] : seamPieces(nextPath)) {
    const { stream, seq, atMs, offset } = piece;
    pieces.push(piece.bytes);
    // A line that begins in the next segment is searched here if this one ends with a line feed or before a gap.
    places.push({ start, seq, atMs, offset });
    parts.push({ stream, start, end: start + piece.bytes.length, offset });
    start = gaps.add(piece);
  }
  const text = Buffer.concat(pieces).toString('latin1');
  const linesBefore = (at: number): number => countLines(text, 0, at);
  return {
    text,
    parts,
    ownLength,
    plainBytes,
    isDamaged,
    start: places[0]?.offset ?? null,
    fromMs: head?.wallMs ?? null,
    gaps: gaps.places,
    placeOf: placesIn(places),
    linesBefore,
  };
}

/**
 * Reads only the frames of a sealed segment with lines that begin in these blocks (one bit per block); all other text
 * is NUL characters. Returns null for a plain segment, and when one of these frames is damaged.
 */
export function sparseText(path: string, nextPath: string | null, blocks: number): SegmentText | null {
  return withFrames(path, ({ table, read }) => {
    const seam = nextPath === null ? [] : seamPieces(nextPath);
    const ownLength = table.textBytes;
    const bytes = Buffer.alloc(seam.reduce((sum, piece) => sum + piece.bytes.length, ownLength));
    const gaps = new OutputGaps();
    const places: StartOfEvent[] = [];
    let next = 0;
    for (let block = 0; block * BLOCK_BYTES < ownLength; block += 1) {
      if (((blocks >>> block) & 1) === 0) continue;
      // The range begins with the byte before the block, since a line feed there begins the block's first line; the
      // block's last line may end beyond the range.
      const [from, to] = [Math.max(0, block * BLOCK_BYTES - 1), (block + 1) * BLOCK_BYTES - 1];
      for (let index = Math.max(next, table.indexOfText(from)); index < table.count; index += 1) {
        const frame = table.frame(index);
        if (frame.textAt > to && bytes.subarray(to, frame.textAt).includes(LINE_FEED)) break;
        let start = frame.textAt;
        const { events, isDamaged } = eventsIn(read(index), table.head, frame);
        if (isDamaged) return null;
        for (const event of events) {
          if (event.kind !== 'output') continue;
          event.bytes.copy(bytes, start);
          places.push({ start, seq: event.seq, atMs: event.atMs, offset: event.offset });
          start = gaps.add(event, start);
        }
        next = index + 1;
      }
    }
    let seamAt = ownLength;
    for (const piece of seam) {
      piece.bytes.copy(bytes, seamAt);
      places.push({ start: seamAt, seq: piece.seq, atMs: piece.atMs, offset: piece.offset });
      seamAt = gaps.add(piece, seamAt);
    }
    const text = bytes.toString('latin1');
    const linesBefore = (at: number): number => {
      const { textAt, lines } = table.frame(table.indexOfText(at));
      return lines + countLines(text, textAt, at);
    };
    return {
      text,
      parts: [],
      ownLength,
      plainBytes: table.plainBytes,
      isDamaged: false,
      start: table.frame(0).offset,
      fromMs: table.head.wallMs,
      gaps: gaps.places,
      placeOf: placesIn(places),
      linesBefore,
    };
  });
}

/** Returns a segment of a recording with those around it; `paths`: the recording's segments in order. */
export function segmentAround(paths: readonly string[], at: number): SegmentAround {
  const path = paths[at] ?? '';
  const previous = paths[at - 1] ?? null;
  const nextPath = paths[at + 1] ?? null;
  const isAdjacent = previous !== null && numberOf(previous) === numberOf(path) - 1;
  return {
    path,
    nextPath,
    hasGap: nextPath !== null && numberOf(nextPath) !== numberOf(path) + 1,
    hasPrevious: previous !== null,
    previousPath: isAdjacent ? previous : null,
  };
}

/** Returns the text of the previous segment as `maskedText` requires it. */
export function previousText({ hasPrevious, previousPath }: SegmentAround): PartedText | null | undefined {
  if (!hasPrevious) return undefined;
  return previousPath === null ? null : segmentText(previousPath, null);
}

interface StartOfEvent extends TextPlace {
  readonly start: number;
}

const placesIn =
  (places: readonly StartOfEvent[]) =>
  (at: number): TextPlace => {
    const { seq = 1, atMs = 0, offset = 0, start = 0 } = places[lastAtOrBefore(places, at)] ?? {};
    return { seq, atMs, offset: offset + at - start };
  };

/** Reads the rest of a line that begins in the previous segment, up to `LINE_CHARS`. */
function seamPieces(path: string): readonly Omit<RecordedOutput, 'kind'>[] {
  const pieces: Omit<RecordedOutput, 'kind'>[] = [];
  let left = LINE_CHARS;
  const { head, bytes } = contentOf(path, HEAD_BYTES, SEAM_FILE_BYTES);
  for (const event of head ? eventsIn(bytes, head).events : []) {
    if (event.kind !== 'output') continue;
    const { bytes: piece, ...output } = event;
    const newline = piece.subarray(0, left).indexOf(LINE_FEED);
    const rest = piece.subarray(0, newline < 0 ? left : newline + 1);
    pieces.push({ ...output, bytes: rest });
    left -= rest.length;
    if (newline >= 0 || left === 0) break;
  }
  return pieces;
}

export function linesIn(path: string): LineCount {
  let count = NO_LINES;
  for (const { bytes, offset } of outputIn(contentOf(path)))
    count = joinedCount(count, {
      start: offset,
      end: offset + bytes.length,
      lines: lineFeedsIn(bytes),
      hasGap: false,
    });
  return count;
}

function lineFeedsIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

type RecordedOutput = Extract<RecordedEvent, { readonly kind: 'output' }>;

interface Output {
  readonly stream: Stream;
  readonly bytes: Buffer;
  readonly offset: number;
}

function* outputIn({ head, bytes }: SegmentContent): Generator<Output> {
  for (const record of head ? recordsIn(bytes, head) : [])
    if (record.type !== 'damage' && isOutput(record.type))
      yield { stream: record.type, bytes: record.payload, offset: record.offset };
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
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
