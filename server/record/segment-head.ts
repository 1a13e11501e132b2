// Reads the head of a segment. A damaged head is derived from the first record, so that it costs no output.
import {
  decodeHead,
  endOfRecord,
  HEAD_BYTES,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  type SegmentHead,
} from './segment-format.ts';

/** Maximum bytes of a head and the first record. */
export const HEAD_AND_RECORD_BYTES = HEAD_BYTES + HEADER_BYTES + MAX_PAYLOAD_BYTES;
/** Bytes of a record's header that its checksum includes; the checksum itself follows. */
const CHECKED_BYTES = HEADER_BYTES - 4;
const POLYNOMIAL = 0xedb88320;

/**
 * Returns the head of a segment whose beginning is `bytes`, with the whole first record if the head is damaged; null
 * when both are damaged, and for anything but a segment. A derived head has no key, number or monotonic time.
 */
export const headOf = (bytes: Buffer): SegmentHead | null => decodeHead(bytes) ?? derivedHead(bytes);

function derivedHead(bytes: Buffer): SegmentHead | null {
  if (bytes.length < HEAD_BYTES + HEADER_BYTES) return null;
  const payloadAt = HEAD_BYTES + HEADER_BYTES;
  const end = payloadAt + bytes.readUInt32LE(HEAD_BYTES);
  if (end > Math.min(bytes.length, HEAD_AND_RECORD_BYTES)) return null;
  const header = bytes.subarray(HEAD_BYTES, HEAD_BYTES + CHECKED_BYTES);
  const check = bytes.readUInt32LE(HEAD_BYTES + CHECKED_BYTES);
  // Every checksum begins with the salt, so the salt is what the checksum was before all bytes.
  const salt = crcBefore(header, crcBefore(bytes.subarray(payloadAt, end), check));
  // The header's separate check then shows whether the record is undamaged.
  if (endOfRecord(bytes, HEAD_BYTES, salt) === null) return null;
  const [wallMs, firstOffset] = [bytes.readUIntLE(HEAD_BYTES + 8, 6), bytes.readUIntLE(HEAD_BYTES + 14, 6)];
  return { key: '', segment: 0, firstOffset, wallMs, monotonicUs: 0, salt };
}

/** Returns the CRC-32 before these bytes if `after` is the one after them. */
function crcBefore(bytes: Buffer, after: number): number {
  let state = ~after;
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    for (let bit = 0; bit < 8; bit += 1) state = state < 0 ? ((state ^ POLYNOMIAL) << 1) | 1 : state << 1;
    state ^= bytes[at] as number;
  }
  return ~state >>> 0;
}
