// Reads the records of a segment from an offset on, even while it is being written.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeHead, HEAD_BYTES, recordsIn, type SegmentRecord } from './segment-format.ts';

export interface NewRecords {
  /** Records in order; null for each damaged one. */
  readonly records: Iterable<SegmentRecord | null>;
  /** Offset after the last record that was read. */
  readonly end: () => number;
}

/** Reads all records up to a damaged or incomplete one at the end. An unreadable file has no records. */
export function recordsFrom(path: string, at: number): NewRecords {
  const start = Math.max(at, HEAD_BYTES);
  const { head, bytes } = contentOf(path, start);
  let end = HEAD_BYTES;
  function* records(): Generator<SegmentRecord | null> {
    for (const record of head ? recordsIn(bytes, head) : []) {
      if (record.type === 'damage' && record.end === bytes.length) return;
      ({ end } = record);
      yield record.type === 'damage' ? null : record;
    }
  }
  return { records: records(), end: () => start - HEAD_BYTES + end };
}

/** Returns the head, and a buffer with the file from `at` on, after an unused gap of the head's length. */
function contentOf(path: string, at: number) {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return { head: null, bytes: Buffer.alloc(0) };
  }
  try {
    const first = Buffer.alloc(HEAD_BYTES);
    readSync(file, first, 0, HEAD_BYTES, 0);
    const bytes = Buffer.alloc(HEAD_BYTES + Math.max(0, fstatSync(file).size - at));
    const read = readSync(file, bytes, HEAD_BYTES, bytes.length - HEAD_BYTES, at);
    return { head: decodeHead(first), bytes: bytes.subarray(0, HEAD_BYTES + read) };
  } finally {
    closeSync(file);
  }
}
