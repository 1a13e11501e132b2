// The output of one segment as text with one character per byte, and the place of each byte.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { eventsIn } from '../record/segment-events.ts';
import { decodeHead, isOutput, recordsIn } from '../record/segment-format.ts';

/** Place of a byte: its event, the time of the event, and the bytes of all output before the byte. */
export interface TextPlace {
  readonly seq: number;
  readonly atMs: number;
  readonly offset: number;
}

export interface SegmentText {
  /** Its output, followed by the rest of its last line from the next segment. */
  readonly text: string;
  /** Length of its own output. */
  readonly ownLength: number;
  /** Bytes of the file. */
  readonly fileBytes: number;
  readonly placeOf: (at: number) => TextPlace;
}

/** Maximum length of that rest, and the bytes of the next file that are read for it. */
const SEAM_BYTES = 4096;
const SEAM_FILE_BYTES = 128 * 1024;
const LINE_FEED = 10;

/** Reads a segment; an unreadable one has no text. `nextPath` is the segment in which its last line may end. */
export function segmentText(path: string, nextPath: string | null): SegmentText {
  const pieces: Buffer[] = [];
  const places: (TextPlace & { readonly start: number })[] = [];
  let start = 0;
  const bytes = bytesOf(path);
  const head = decodeHead(bytes);
  for (const event of head ? eventsIn(bytes, head).events : []) {
    if (event.kind !== 'output') continue;
    pieces.push(event.bytes);
    places.push({ start, seq: event.seq, atMs: event.atMs, offset: event.offset });
    start += event.bytes.length;
  }
  if (nextPath !== null) pieces.push(seamOf(nextPath));
  return {
    text: Buffer.concat(pieces).toString('latin1'),
    ownLength: start,
    fileBytes: bytes.length,
    placeOf: (at) => {
      const { seq = 1, atMs = 0, offset = 0, start: begin = 0 } = places[lastAtOrBefore(places, at)] ?? {};
      return { seq, atMs, offset: offset + at - begin };
    },
  };
}

/** Reads the rest of a line that begins in the previous segment. */
function seamOf(path: string): Buffer {
  const pieces: Buffer[] = [];
  let left = SEAM_BYTES;
  for (const piece of outputIn(bytesOf(path, SEAM_FILE_BYTES))) {
    const newline = piece.subarray(0, left).indexOf(LINE_FEED);
    const rest = piece.subarray(0, newline < 0 ? left : newline + 1);
    pieces.push(rest);
    left -= rest.length;
    if (newline >= 0 || left === 0) break;
  }
  return Buffer.concat(pieces);
}

/** Counts the line feeds in a segment. */
export function linesIn(path: string): number {
  let lines = 0;
  for (const piece of outputIn(bytesOf(path)))
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

function* outputIn(bytes: Buffer): Generator<Buffer> {
  const head = decodeHead(bytes);
  for (const record of head ? recordsIn(bytes, head) : [])
    if (record.type !== 'damage' && isOutput(record.type)) yield record.payload;
}

/** Counts the line feeds between two places of a text. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Reads at most this many bytes from the beginning of a file. */
function bytesOf(path: string, mostBytes = Number.POSITIVE_INFINITY): Buffer {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.min(fstatSync(file).size, mostBytes));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
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
