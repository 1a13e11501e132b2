// Reads the records of a segment from an offset on, even while it is being written.
import { contentOf } from './segment-content.ts';
import { HEAD_BYTES, recordsIn, type SegmentRecord } from './segment-format.ts';

export interface NewRecords {
  /** Records in order; null for each damaged part. */
  readonly records: Iterable<SegmentRecord | null>;
  /** Returns the offset in the plain segment after the last record or damaged part that was read. */
  readonly end: () => number;
}

/**
 * Reads all records up to a damaged or incomplete one at the end. `at` is an offset in the plain segment. A missing
 * file has no records.
 */
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
