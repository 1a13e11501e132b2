// Reads a segment in its plain or its sealed form, with the same content for readers.
import { fstatSync, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync, crc32 } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import {
  claimedTableBytes,
  insteadOf,
  LAST_BYTES,
  lastTableBytes,
  SealedTable,
  USUAL_TABLE_BYTES,
  type Frame,
} from './sealed-format.ts';
import { decodeHead, HEAD_BYTES, type SegmentHead } from './segment-format.ts';
import { HEAD_AND_RECORD_BYTES, headOf } from './segment-head.ts';
import { withFile } from './with-file.ts';

const decompress = promisify(brotliDecompress);

export interface SegmentContent {
  readonly head: SegmentHead | null;
  /**
   * An unused gap of the head's length, which decoding skips, and then the bytes of the plain segment from the
   * requested offset on.
   */
  readonly bytes: Buffer;
  /** Length of the plain segment. */
  readonly plainBytes: number;
}

const NO_CONTENT: SegmentContent = { head: null, bytes: Buffer.alloc(0), plainBytes: 0 };

/**
 * Reads about `mostBytes` of a segment in its plain form from offset `from` on, even while it is being written or
 * sealed; `head` is null for a missing or foreign file. Throws when the system cannot read the file.
 */
export function contentOf(
  path: string,
  from = HEAD_BYTES,
  mostBytes = Number.POSITIVE_INFINITY,
): SegmentContent {
  const content = withFile(path, (file) => {
    const table = tableOf(file);
    if (table) return sealedContent(file, table, from, mostBytes);
    const { size } = fstatSync(file);
    const head = decodeHead(readAt(file, 0, HEAD_BYTES)) ?? headOf(readAt(file, 0, HEAD_AND_RECORD_BYTES));
    const bytes = Buffer.allocUnsafe(HEAD_BYTES + Math.max(0, Math.min(size - from, mostBytes)));
    const read = readSync(file, bytes, HEAD_BYTES, bytes.length - HEAD_BYTES, from);
    return { head, bytes: bytes.subarray(0, HEAD_BYTES + read), plainBytes: size };
  });
  return content ?? NO_CONTENT;
}

/** A sealed segment whose frames are read one by one. */
export interface OpenFrames {
  readonly table: SealedTable;
  /** Returns the content of a frame; it begins with an unused gap of the head's length. */
  readonly read: (index: number) => Buffer;
}

/** Returns the result of `work`, called with the frames of a sealed segment; null for a plain or missing one. */
export function withFrames<T>(path: string, work: (frames: OpenFrames) => T): T | null {
  return withFile(path, (file) => {
    const table = tableOf(file);
    if (!table) return null;
    const read = (index: number): Buffer => {
      const frame = table.frame(index);
      const packed = readAt(file, frame.fileAt, frame.fileBytes);
      return Buffer.concat([table.headBytes, unpacked(packed, frame, table)]);
    };
    return work({ table, read });
  });
}

/** Returns the whole plain segment of a file's bytes; anything but a sealed segment is returned as it is. */
export function plainSegment(bytes: Buffer): Buffer {
  const table = tableIn(bytes);
  if (!table) return bytes;
  return Buffer.concat([table.headBytes, ...framesOf(table).map((each) => plainFrame(bytes, table, each))]);
}

export interface SegmentForm {
  readonly isSealed: boolean;
  /** Length of the plain segment; 0 for a missing file. */
  readonly plainBytes: number;
}

export function formOf(path: string): SegmentForm {
  const form = withFile(path, (file) => {
    const table = tableOf(file);
    return { isSealed: table !== null, plainBytes: table?.plainBytes ?? fstatSync(file).size };
  });
  return form ?? { isSealed: false, plainBytes: 0 };
}

/**
 * Returns the table of a sealed segment whose first `USUAL_TABLE_BYTES` are `beginning`; null for a plain
 * one, and when the tables at both ends are damaged.
 */
export async function tableFrom(file: FileHandle, beginning: Buffer): Promise<SealedTable | null> {
  if (decodeHead(beginning)) return null;
  const readPart = async (at: number, length: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };
  const length = claimedTableBytes(beginning) ?? 0;
  const first = SealedTable.decode(length > beginning.length ? await readPart(0, length) : beginning);
  if (first) return first;
  const { size } = await file.stat();
  const last = lastTableBytes(await readPart(Math.max(0, size - LAST_BYTES), LAST_BYTES));
  return last === null || last + LAST_BYTES > size
    ? null
    : SealedTable.decode(await readPart(size - LAST_BYTES - last, last));
}

/** Reads one frame of a sealed segment; the result begins with an unused gap of the head's length. */
export async function readFrame(file: FileHandle, table: SealedTable, index: number): Promise<Buffer> {
  const frame = table.frame(index);
  const packed = Buffer.allocUnsafe(frame.fileBytes);
  const { bytesRead } = await file.read(packed, 0, packed.length, frame.fileAt);
  const isWhole = bytesRead === packed.length && crc32(packed) === frame.check;
  const plain = isWhole ? await decompress(packed, lengthOf(frame)).catch(() => null) : null;
  return Buffer.concat([table.headBytes, whole(plain, frame, table)]);
}

function sealedContent(file: number, table: SealedTable, from: number, mostBytes: number): SegmentContent {
  const { head, plainBytes } = table;
  const pieces: Buffer[] = [table.headBytes];
  for (let index = table.indexOfPlace(from); index < table.count; index += 1) {
    const frame = table.frame(index);
    if (frame.endAt <= from) continue;
    if (frame.at >= from + mostBytes) break;
    const packed = readAt(file, frame.fileAt, frame.fileBytes);
    pieces.push(unpacked(packed, frame, table).subarray(Math.max(0, from - frame.at)));
  }
  return { head, bytes: Buffer.concat(pieces), plainBytes };
}

function plainFrame(file: Buffer, table: SealedTable, frame: Frame): Buffer {
  return unpacked(file.subarray(frame.fileAt, frame.fileAt + frame.fileBytes), frame, table);
}

function unpacked(packed: Buffer, frame: Frame, table: SealedTable): Buffer {
  let plain: Buffer | null = null;
  try {
    if (crc32(packed) === frame.check) plain = brotliDecompressSync(packed, lengthOf(frame));
  } catch {
    // Damage that the checksum does not detect may make decompression fail; the frame is then replaced, too.
  }
  return whole(plain, frame, table);
}

const lengthOf = ({ at, endAt }: Frame): { readonly maxOutputLength: number } => ({
  maxOutputLength: endAt - at,
});

const whole = (plain: Buffer | null, frame: Frame, { head }: SealedTable): Buffer =>
  plain?.length === frame.endAt - frame.at ? plain : insteadOf(frame, head);

const framesOf = (table: SealedTable): readonly Frame[] =>
  Array.from({ length: table.count }, (_, index) => table.frame(index));

const tableIn = (bytes: Buffer): SealedTable | null =>
  tableWith((at, length) => bytes.subarray(at, at + length), bytes.length);

const tableOf = (file: number): SealedTable | null =>
  tableWith((at, length) => readAt(file, at, length), fstatSync(file).size);

/**
 * Returns the table at the beginning of a file, or the one at its end if that is damaged; null for a plain
 * segment, and when both are damaged.
 */
function tableWith(read: (at: number, length: number) => Buffer, size: number): SealedTable | null {
  const beginning = read(0, USUAL_TABLE_BYTES);
  if (decodeHead(beginning)) return null;
  const length = claimedTableBytes(beginning) ?? 0;
  const first = SealedTable.decode(length > beginning.length ? read(0, length) : beginning);
  if (first) return first;
  const last = lastTableBytes(read(Math.max(0, size - LAST_BYTES), LAST_BYTES));
  return last === null || last + LAST_BYTES > size
    ? null
    : SealedTable.decode(read(size - LAST_BYTES - last, last));
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}
