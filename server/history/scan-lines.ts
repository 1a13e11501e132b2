// Counts the lines of a segment from a byte of it on: a place every so many bytes of output, and the one at its end.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeHead, HEAD_BYTES, isOutput, recordsIn } from '../record/segment-format.ts';
import { decodeCount } from '../record/segment-payloads.ts';
import { afterGap, afterOutput, type LinePlace } from './line-place.ts';

export interface ScanTask {
  readonly path: string;
  /** Byte of the file with the first record that is not counted yet; 0: the first of all. */
  readonly at: number;
  /** The place there. */
  readonly place: LinePlace;
}

export interface Scanned {
  /** Places in their order; the first is that at the beginning of the task. */
  readonly places: readonly LinePlace[];
  readonly at: number;
  readonly place: LinePlace;
}

/** Bytes of output between two places. */
const EVERY_BYTES = 256 * 1024;

/** Ends before a record at the end that is damaged, or not written whole yet. An unreadable file has no lines. */
export function scanLines({ path, at, place: from }: ScanTask): Scanned {
  const { head, bytes } = contentOf(path, Math.max(at, HEAD_BYTES));
  const start = Math.max(at, HEAD_BYTES) - HEAD_BYTES;
  const places: LinePlace[] = [from];
  let place = from;
  let [seq, noted, end] = [from.seq, from.offset, HEAD_BYTES];
  for (const record of head ? recordsIn(bytes, head) : []) {
    if (record.type === 'damage' && record.end === bytes.length) break;
    ({ end } = record);
    if (record.type === 'damage') {
      seq += 1;
      continue;
    }
    const { type, payload, offset } = record;
    if (type === 'place') seq = decodeCount(payload) ?? seq;
    else if (type === 'exit' || type === 'end') seq += 1;
    if (!isOutput(type)) continue;
    if (offset - noted >= EVERY_BYTES) {
      places.push({ ...place, seq });
      noted = offset;
    }
    if (offset > place.offset) place = afterGap(place, offset);
    place = afterOutput(place, type, payload);
    seq += 1;
  }
  return { places, at: start + end, place: { ...place, seq } };
}

/** The head, and the file from `at` on behind a room as long as the head. */
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
