// The end of a segment after a crash: what was written in part behind its last valid record is cut off.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { decodeHead, HEAD_BYTES, isOutput, recordsIn, type SegmentHead } from './segment-format.ts';

export interface Recovered {
  readonly head: SegmentHead;
  /** The length of the file now. */
  readonly bytes: number;
  /** Decoded bytes of output before the next record. */
  readonly nextOffset: number;
  /** Bytes that were cut off. */
  readonly cutBytes: number;
  /** Bytes of damaged records before the last valid one; they stay, and readers pass over them. */
  readonly damagedBytes: number;
}

/**
 * Truncates the file behind its last valid record: what follows was torn by a crash. A damaged record with valid ones
 * behind it costs only itself. Null, with the file untouched, when it has no valid head; throws when it cannot be read.
 */
export function recoverSegment(path: string): Recovered | null {
  const file = openSync(path, 'r+');
  try {
    const bytes = readAll(file);
    const head = decodeHead(bytes);
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
    if (end < bytes.length) ftruncateSync(file, end);
    return { head, bytes: end, nextOffset, cutBytes: bytes.length - end, damagedBytes };
  } finally {
    closeSync(file);
  }
}

/** A segment is a few MiB: it is read whole. */
function readAll(file: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(file).size);
  let read = 0;
  for (let taken = -1; read < bytes.length && taken !== 0; read += taken) {
    taken = readSync(file, bytes, read, bytes.length - read, read);
  }
  return bytes.subarray(0, read);
}
