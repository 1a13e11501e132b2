// Format of a sealed segment: the records of a finished one in compressed frames, each of which can be read alone. A
// table at both ends of the file has their places and checksums.
import { crc32 } from 'node:zlib';
import type { RecordedSize } from './event.ts';
import { decodeHead, frame, HEAD_BYTES, type SegmentHead } from './segment-format.ts';
import { encodeCount } from './segment-payloads.ts';

const MAGIC = 'XCZ1';
/** The table begins with four words: magic, length of the table, length of the plain segment, number of frames. */
const WORDS_BYTES = 16;
const ENTRY_BYTES = 42;
const WORD_BYTES = 4;
/** Bytes at the beginning of a file that contain the whole table of a segment of usual size. */
export const USUAL_TABLE_BYTES = 4096;
/** Maximum length of a table; a larger one must be damage. */
const MOST_TABLE_BYTES = 16 * 1024 * 1024;

/** State of a recording at the beginning of a frame. */
export interface FrameStart {
  /** Offset in the plain segment. */
  readonly at: number;
  /** Number of the first event at or after this offset. */
  readonly seq: number;
  /** Decoded bytes of output before the frame, over all streams. */
  readonly offset: number;
  /** Size of the terminal; null when the segment has none before the frame. */
  readonly size: RecordedSize | null;
  /** Bytes of output in this segment before the frame, and the line feeds in them. */
  readonly textAt: number;
  readonly lines: number;
}

export interface Frame extends FrameStart {
  /** Offset in the plain segment after the frame. */
  readonly endAt: number;
  /** Offset and length of the compressed frame in the file. */
  readonly fileAt: number;
  readonly fileBytes: number;
  readonly check: number;
  /** Number of the first event after the frame; bytes of output before it, in total and in this segment. */
  readonly nextSeq: number;
  readonly nextOffset: number;
  readonly nextTextAt: number;
}

/** Encodes a whole file. `starts` has one element for each frame, and one for the end of the segment. */
export function encodeSealed(
  head: Buffer,
  frames: readonly Buffer[],
  starts: readonly FrameStart[],
): readonly Buffer[] {
  const table = Buffer.alloc(tableBytes(frames.length));
  table.write(MAGIC, 'latin1');
  for (const [word, value] of [table.length, starts.at(-1)?.at ?? 0, frames.length].entries())
    table.writeUInt32LE(value, (word + 1) * WORD_BYTES);
  head.copy(table, WORDS_BYTES, 0, HEAD_BYTES);
  let fileAt = table.length;
  for (const [index, start] of starts.entries()) {
    const bytes = frames[index] ?? Buffer.alloc(0);
    const at = WORDS_BYTES + HEAD_BYTES + index * ENTRY_BYTES;
    table.writeUInt32LE(start.at, at);
    table.writeUInt32LE(fileAt, at + 4);
    table.writeUInt32LE(crc32(bytes), at + 8);
    table.writeUIntLE(start.seq, at + 12, 6);
    table.writeUIntLE(start.offset, at + 18, 6);
    table.writeUInt16LE(start.size?.rows ?? 0, at + 24);
    table.writeUInt16LE(start.size?.cols ?? 0, at + 26);
    table.writeUIntLE(start.size?.afterSeq ?? 0, at + 28, 6);
    table.writeUInt32LE(start.textAt, at + 34);
    table.writeUInt32LE(start.lines, at + 38);
    fileAt += bytes.length;
  }
  table.writeUInt32LE(crc32(table.subarray(0, -WORD_BYTES)), table.length - WORD_BYTES);
  const length = Buffer.alloc(WORD_BYTES);
  length.writeUInt32LE(table.length);
  return [table, ...frames, table, length];
}

const tableBytes = (frames: number): number =>
  WORDS_BYTES + HEAD_BYTES + (frames + 1) * ENTRY_BYTES + WORD_BYTES;

/**
 * Returns the length of a table according to its first bytes; null when they are not the beginning of a table, or the
 * length is impossible.
 */
export function claimedTableBytes(bytes: Buffer): number | null {
  if (bytes.length < WORDS_BYTES || bytes.toString('latin1', 0, 4) !== MAGIC) return null;
  const length = bytes.readUInt32LE(4);
  return length === tableBytes(bytes.readUInt32LE(12)) && length <= MOST_TABLE_BYTES ? length : null;
}

/**
 * Returns the length of the table at the end of a file, as stored in the file's last bytes; null for an
 * impossible length.
 */
export function lastTableBytes(end: Buffer): number | null {
  const length = end.length < WORD_BYTES ? 0 : end.readUInt32LE(end.length - WORD_BYTES);
  return length >= tableBytes(0) && length <= MOST_TABLE_BYTES ? length : null;
}

export const LAST_BYTES = WORD_BYTES;

export class SealedTable {
  readonly head: SegmentHead;
  readonly #bytes: Buffer;
  readonly count: number;

  private constructor(head: SegmentHead, bytes: Buffer) {
    this.head = head;
    this.#bytes = bytes;
    this.count = bytes.readUInt32LE(12);
  }

  /** Decodes a table and verifies its checksum; returns null for anything but a complete, undamaged table. */
  static decode(bytes: Buffer): SealedTable | null {
    const length = claimedTableBytes(bytes);
    if (length === null || length > bytes.length) return null;
    const end = length - WORD_BYTES;
    if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) return null;
    const head = decodeHead(bytes.subarray(WORDS_BYTES, WORDS_BYTES + HEAD_BYTES));
    return head && new SealedTable(head, bytes.subarray(0, length));
  }

  get plainBytes(): number {
    return this.#bytes.readUInt32LE(8);
  }

  /** The unchanged head of the segment. */
  get headBytes(): Buffer {
    return this.#bytes.subarray(WORDS_BYTES, WORDS_BYTES + HEAD_BYTES);
  }

  frame(index: number): Frame {
    const [start, next] = [this.#startOf(index), this.#startOf(index + 1)];
    return {
      ...start,
      endAt: next.at,
      fileBytes: next.fileAt - start.fileAt,
      check: this.#bytes.readUInt32LE(this.#entry(index) + 8),
      nextSeq: next.seq,
      nextOffset: next.offset,
      nextTextAt: next.textAt,
    };
  }

  /** Returns the index of the last frame that begins with this event or an earlier one; 0 when there is none. */
  indexOfSeq(seq: number): number {
    return this.#lastIndex((start) => start.seq <= seq);
  }

  /** Returns the index of the frame that contains this byte of the segment's output. */
  indexOfText(at: number): number {
    return this.#lastIndex((start) => start.textAt <= at);
  }

  /** Bytes of output in the segment. */
  get textBytes(): number {
    return this.#startOf(this.count).textAt;
  }

  /** Returns the index of the frame that contains this offset in the plain segment. */
  indexOfPlace(at: number): number {
    return this.#lastIndex((start) => start.at <= at);
  }

  #lastIndex(isBefore: (start: FrameStart) => boolean): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isBefore(this.#startOf(middle))) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #startOf(index: number): FrameStart & { readonly fileAt: number } {
    const bytes = this.#bytes;
    const at = this.#entry(index);
    const [rows, cols] = [bytes.readUInt16LE(at + 24), bytes.readUInt16LE(at + 26)];
    return {
      at: bytes.readUInt32LE(at),
      fileAt: bytes.readUInt32LE(at + 4),
      seq: bytes.readUIntLE(at + 12, 6),
      offset: bytes.readUIntLE(at + 18, 6),
      textAt: bytes.readUInt32LE(at + 34),
      lines: bytes.readUInt32LE(at + 38),
      size: rows > 0 ? { afterSeq: bytes.readUIntLE(at + 28, 6), rows, cols } : null,
    };
  }

  #entry(index: number): number {
    return WORDS_BYTES + HEAD_BYTES + index * ENTRY_BYTES;
  }
}

/**
 * Returns a replacement of the same length for a damaged frame: damage, and at its end the number of the next event if
 * it fits, so that only the events of this frame are missing.
 */
export function insteadOf({ at, endAt, nextSeq, nextOffset }: Frame, head: SegmentHead): Buffer {
  const bytes = Buffer.alloc(endAt - at);
  const place = Buffer.concat(
    frame(
      [{ type: 'place', atMs: head.wallMs, offset: nextOffset, payload: encodeCount(nextSeq) }],
      head.salt,
    ),
  );
  // A frame without room for the number has at most one event, and readers count damage as one event.
  if (place.length < bytes.length) place.copy(bytes, bytes.length - place.length);
  return bytes;
}
