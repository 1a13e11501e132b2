// Counts the lines of a segment from a byte of it on: a place every so many bytes of output, and the one at its end.
import { recordsFrom } from '../record/growing-segment.ts';
import { isOutput } from '../record/segment-format.ts';
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
  const { records, end } = recordsFrom(path, at);
  const places: LinePlace[] = [from];
  let place = from;
  let [seq, noted] = [from.seq, from.offset];
  for (const record of records) {
    if (record === null) {
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
  return { places, at: end(), place: { ...place, seq } };
}
