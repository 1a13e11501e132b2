// Recovers a segment after a crash by cutting off everything after its last valid record.
import { closeSync, constants, fstatSync, ftruncateSync, readSync } from 'node:fs';
import { openRegular } from '../host/regular-file.ts';
import {
  HEAD_BYTES,
  isOutput,
  lostOutputAt,
  recordsIn,
  type LostOutput,
  type SegmentHead,
} from './segment-format.ts';
import { headOf } from './segment-head.ts';

export interface Recovered {
  readonly head: SegmentHead;
  /** Length of the file after recovery. */
  readonly bytes: number;
  /** Decoded bytes of output before the next record, without those of the lost output. */
  readonly nextOffset: number;
  /** Output that was cut off with its records, as far as their headers were intact; null when there was none. */
  readonly lost: LostOutput | null;
  readonly cutBytes: number;
  /** Bytes of damaged records before the last valid one; they remain, and readers skip them. */
  readonly damagedBytes: number;
}

/**
 * Truncates the file after its last valid record, because a crash may have left an incomplete one. Damaged
 * records before it remain. Returns null, with the file unchanged, when the head is invalid; throws when the
 * file cannot be read.
 */
export function recoverSegment(path: string): Recovered | null {
  const file = openRegular(path, constants.O_RDWR);
  try {
    const bytes = readAll(file);
    const head = headOf(bytes);
    if (!head) return null;
    let end = HEAD_BYTES;
    let nextOffset = head.firstOffset;
    let damagedBytes = 0;
    let passedBytes = 0;
    for (const record of recordsIn(bytes, head)) {
      if (record.type === 'damage') {
        passedBytes += record.end - record.start;
        continue;
      }
      end = record.end;
      damagedBytes = passedBytes;
      nextOffset = record.offset + (isOutput(record.type) ? record.payload.length : 0);
    }
    const lost = lostOutputAt(bytes, end, head.salt);
    if (end < bytes.length) ftruncateSync(file, end);
    return { head, bytes: end, nextOffset, lost, cutBytes: bytes.length - end, damagedBytes };
  } finally {
    closeSync(file);
  }
}

/** Reads the whole file, which is only a few MiB. */
function readAll(file: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(file).size);
  let read = 0;
  for (let taken = -1; read < bytes.length && taken !== 0; read += taken) {
    taken = readSync(file, bytes, read, bytes.length - read, read);
  }
  return bytes.subarray(0, read);
}
