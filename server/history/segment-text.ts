// The output of one segment as text, one character for each byte, with the place of each of them.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { eventsIn } from '../record/segment-events.ts';
import { decodeHead, isOutput, recordsIn } from '../record/segment-format.ts';

/** The place of a byte of output: the event that it is in, its time, and the bytes of all output before it. */
export interface TextPlace {
  readonly seq: number;
  readonly atMs: number;
  readonly offset: number;
}

export interface SegmentText {
  /** Its output, and the rest of its last line. */
  readonly text: string;
  /** Length of the output without that rest. */
  readonly ownLength: number;
  /** Bytes of the file. */
  readonly fileBytes: number;
  readonly placeOf: (at: number) => TextPlace;
}

/** Bytes of the next segment in which a last line is followed, and of its file that are read for them. */
const SEAM_BYTES = 4096;
const SEAM_FILE_BYTES = 128 * 1024;
const LINE_FEED = 10;

/** `nextPath`: the segment in which its last line may end. An unreadable segment has no text. */
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

/** The rest of a line that began in the segment before. */
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

/** Line feeds in a segment. */
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

/** Line feeds between two places of a text. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The beginning of a file, of at most so many bytes. */
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
