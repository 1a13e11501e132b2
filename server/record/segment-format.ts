// Format of a segment (`.xcr`): a head, then records with a checksum each, so that damage affects only the
// records that it touches.
import { crc32 } from 'node:zlib';
import type { Stream } from '../../protocol/process.ts';

export const HEAD_BYTES = 64;
export const HEADER_BYTES = 24;
/** Maximum bytes of a payload; a larger length must be damage. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;
const MAX_KEY_BYTES = 28;
const MAGIC = 'XCR1';

/** Type numbers on disk. They never change their meaning; a reader skips unknown ones up to HIGHEST_TYPE. */
const TYPE_NUMBERS = {
  stdout: 1,
  stderr: 2,
  pty: 3,
  resize: 4,
  applied: 5,
  exit: 6,
  end: 7,
  gap: 8,
  keyframe: 9,
  place: 10,
  /** Facts of the process, at the end of a short recording. */
  meta: 11,
  /** Time at which the keeper began to terminate the process, because no gateway had connected in time. */
  ranOut: 12,
} as const;

export type RecordType = keyof typeof TYPE_NUMBERS;
const HIGHEST_TYPE = 31;
const TYPE_OF = new Map<number, RecordType>(
  Object.entries(TYPE_NUMBERS).map(([type, number]) => [number, type as RecordType]),
);

export interface SegmentHead {
  readonly key: string;
  /** Number of this segment of the process, from 1. */
  readonly segment: number;
  /** Decoded bytes of output before the first record, over all streams. */
  readonly firstOffset: number;
  readonly wallMs: number;
  /** Microseconds of the monotonic clock at `wallMs`. */
  readonly monotonicUs: number;
  /**
   * Random number that the checksum of every record includes, so that a program that prints a segment cannot forge
   * records.
   */
  readonly salt: number;
}

export interface SegmentRecord {
  readonly type: RecordType;
  readonly atMs: number;
  /** Decoded bytes of output before this record, over all streams. */
  readonly offset: number;
  readonly payload: Buffer;
}

export interface PlacedRecord extends SegmentRecord {
  readonly start: number;
  /** Offset after the record. */
  readonly end: number;
}

/** A part of a segment without valid records. */
export interface Damage {
  readonly type: 'damage';
  readonly start: number;
  readonly end: number;
}

export const isOutput = (type: RecordType): type is Stream =>
  type === 'stdout' || type === 'stderr' || type === 'pty';

/**
 * Encodes the head of a segment. Throws a RangeError for a key that is longer than any that a gateway
 * assigns.
 */
export function encodeHead(head: SegmentHead): Buffer {
  if (head.key.length > MAX_KEY_BYTES) throw new RangeError(`key longer than ${MAX_KEY_BYTES} bytes`);
  const bytes = Buffer.alloc(HEAD_BYTES);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt32LE(head.segment, 4);
  bytes.writeUIntLE(head.firstOffset, 8, 6);
  bytes.writeUIntLE(head.wallMs, 14, 6);
  bytes.writeUIntLE(head.monotonicUs, 20, 6);
  bytes.writeUInt32LE(head.salt, 26);
  bytes.writeUInt8(head.key.length, 30);
  bytes.write(head.key, 31, 'latin1');
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Decodes the head of a segment; returns null for anything but a complete, undamaged one. */
export function decodeHead(bytes: Buffer): SegmentHead | null {
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, 4) !== MAGIC) return null;
  if (crc32(bytes.subarray(0, 60)) !== bytes.readUInt32LE(60)) return null;
  return {
    segment: bytes.readUInt32LE(4),
    firstOffset: bytes.readUIntLE(8, 6),
    wallMs: bytes.readUIntLE(14, 6),
    monotonicUs: bytes.readUIntLE(20, 6),
    salt: bytes.readUInt32LE(26),
    key: bytes.toString('latin1', 31, 31 + Math.min(bytes.readUInt8(30), MAX_KEY_BYTES)),
  };
}

/** Returns the size of a segment with only these records. */
export const sizeOf = (records: readonly SegmentRecord[]): number =>
  records.reduce((sum, { payload }) => sum + HEADER_BYTES + payload.length, HEAD_BYTES);

/**
 * Returns the records as buffers for one writev: all headers are in one buffer, and payloads are not copied.
 * Throws a RangeError for a payload that is too long.
 */
export function frame(records: readonly SegmentRecord[], salt: number): Buffer[] {
  const headers = Buffer.allocUnsafe(records.length * HEADER_BYTES);
  return records.flatMap((record, at) => {
    const { type, atMs, offset, payload } = record;
    if (payload.length > MAX_PAYLOAD_BYTES) throw new RangeError('payload too long for a record');
    const header = headers.subarray(at * HEADER_BYTES, (at + 1) * HEADER_BYTES);
    header.writeUInt32LE(payload.length, 0);
    header.writeUInt8(TYPE_NUMBERS[type], 4);
    header.writeUInt8(0, 5);
    header.writeUIntLE(atMs, 8, 6);
    header.writeUIntLE(offset, 14, 6);
    header.writeUInt16LE(headerCheck(header, 0, salt), 6);
    header.writeUInt32LE(crc32(payload, crc32(header.subarray(0, 20), salt)), 20);
    return payload.length > 0 ? [header, payload] : [header];
  });
}

/**
 * Yields the records of a segment from offset `from` on, with payloads as views of `bytes`; skips unknown types. Each
 * damaged part is one `Damage`, after which reading continues with the next valid record.
 */
export function* recordsIn(
  bytes: Buffer,
  { salt }: SegmentHead,
  from = HEAD_BYTES,
): Generator<PlacedRecord | Damage> {
  let at = from;
  while (at < bytes.length) {
    const end = endOfRecord(bytes, at, salt);
    if (end !== null) {
      const type = TYPE_OF.get(bytes.readUInt8(at + 4));
      if (type) yield placed(bytes, type, at, end);
      at = end;
      continue;
    }
    const start = at;
    do at += 1;
    while (at < bytes.length && endOfRecord(bytes, at, salt) === null);
    yield { type: 'damage', start, end: at };
  }
}

export interface LostOutput {
  readonly events: number;
  /** Decoded bytes of output up to the end of the lost output, over all streams. */
  readonly endOffset: number;
}

/**
 * Returns the output of records from `at` on that are cut or damaged after their headers, which have the lengths; null
 * when there is none. What follows a damaged header is unknown.
 */
export function lostOutputAt(bytes: Buffer, at: number, salt: number): LostOutput | null {
  let [events, endOffset] = [0, 0];
  while (hasHeader(bytes, at, salt)) {
    const length = bytes.readUInt32LE(at);
    const type = TYPE_OF.get(bytes.readUInt8(at + 4));
    if (type && isOutput(type)) {
      events += 1;
      endOffset = bytes.readUIntLE(at + 14, 6) + length;
    }
    at += HEADER_BYTES + length;
  }
  return events === 0 ? null : { events, endOffset };
}

function placed(bytes: Buffer, type: RecordType, start: number, end: number): PlacedRecord {
  const payload = bytes.subarray(start + HEADER_BYTES, end);
  const atMs = bytes.readUIntLE(start + 8, 6);
  return { type, atMs, offset: bytes.readUIntLE(start + 14, 6), payload, start, end };
}

/**
 * Returns the end of a valid record at `at`, otherwise null. The header has a separate check, because a
 * search through damaged bytes would otherwise compute a checksum of up to a megabyte at every place that
 * looks like a length.
 */
export function endOfRecord(bytes: Buffer, at: number, salt: number): number | null {
  if (!hasHeader(bytes, at, salt)) return null;
  const end = at + HEADER_BYTES + bytes.readUInt32LE(at);
  if (end > bytes.length) return null;
  const sum = crc32(
    bytes.subarray(at + HEADER_BYTES, end),
    crc32(bytes.subarray(at, at + HEADER_BYTES - 4), salt),
  );
  return sum === bytes.readUInt32LE(at + 20) ? end : null;
}

function hasHeader(bytes: Buffer, at: number, salt: number): boolean {
  if (at + HEADER_BYTES > bytes.length) return false;
  const type = bytes[at + 4] as number;
  if (type === 0 || type > HIGHEST_TYPE || bytes[at + 5] !== 0) return false;
  if (bytes.readUInt32LE(at) > MAX_PAYLOAD_BYTES) return false;
  return headerCheck(bytes, at, salt) === bytes.readUInt16LE(at + 6);
}

/** Returns a 16-bit check of length, type, time and offset. */
function headerCheck(bytes: Buffer, at: number, salt: number): number {
  const sum = crc32(bytes.subarray(at + 8, at + 20), crc32(bytes.subarray(at, at + 6), salt));
  return (sum ^ (sum >>> 16)) & 0xffff;
}
