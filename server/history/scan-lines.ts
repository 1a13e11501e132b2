// Counts the lines of a segment from one of its bytes on; returns a place for each block of output, and the
// last place.
import { recordsFrom } from '../record/growing-segment.ts';
import { isOutput } from '../record/segment-format.ts';
import { decodeCount } from '../record/segment-payloads.ts';
import { afterGap, afterOutput, type LinePlace } from './line-place.ts';

export interface ScanTask {
  readonly path: string;
  /** Offset in the plain segment of the first record to count; 0 for the beginning. */
  readonly at: number;
  /** Place at that offset. */
  readonly place: LinePlace;
}

export interface Scanned {
  /** Places in order, beginning with that of the task. */
  readonly places: readonly LinePlace[];
  readonly at: number;
  readonly place: LinePlace;
}

/** Minimum number of bytes of output between two places. */
const EVERY_BYTES = 256 * 1024;

/**
 * Counts all lines outside damaged records. A damaged or incomplete record at the end is left to the next scan. A
 * missing file has no lines.
 */
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
