// Events of a segment or of one of its frames, with their original numbers.
import type { RecordedEvent, RecordedSize } from './event.ts';
import type { FrameStart } from './sealed-format.ts';
import { isOutput, recordsIn, type SegmentHead } from './segment-format.ts';
import { decodeCount, decodeExit, decodeSize, type RecordedExit } from './segment-payloads.ts';

export type DatedExit = RecordedExit & { readonly atMs: number };

export interface SegmentEvents {
  readonly events: readonly RecordedEvent[];
  readonly sizes: readonly RecordedSize[];
  readonly exit: DatedExit | null;
  /** Time of the last valid record; 0 when there is none. */
  readonly atMs: number;
}

export const NOTHING: SegmentEvents = { events: [], sizes: [], exit: null, atMs: 0 };

/**
 * Returns the events, the terminal's sizes and the exit. A damaged part counts as one event, until a record
 * with an event number corrects the count. The first event of a segment is preceded by its number; a frame
 * begins at `start`.
 */
export function eventsIn(
  bytes: Buffer,
  head: SegmentHead,
  start: Pick<FrameStart, 'seq' | 'size'> = { seq: 1, size: null },
): SegmentEvents {
  const events: RecordedEvent[] = [];
  let { seq } = start;
  const sizes: RecordedSize[] = start.size ? [start.size] : [];
  let exit: DatedExit | null = null;
  let atMs = 0;
  for (const record of recordsIn(bytes, head)) {
    if (record.type === 'damage') {
      seq += 1;
      continue;
    }
    const { type, payload, offset } = record;
    ({ atMs } = record);
    if (type === 'place') seq = decodeCount(payload) ?? seq;
    else if (isOutput(type))
      events.push({ kind: 'output', seq: seq++, offset, stream: type, bytes: payload, atMs });
    else if (type === 'resize') {
      const size = decodeSize(payload);
      if (size) sizes.push({ afterSeq: seq - 1, ...size });
    } else if (type === 'exit') {
      const decoded = decodeExit(payload);
      exit = decoded && { ...decoded, atMs };
      const { code = -1, sandboxDenied = false } = decoded ?? {};
      events.push({ kind: 'exited', seq: seq++, offset, exitCode: code, sandboxDenied });
    } else if (type === 'end') events.push({ kind: 'closed', seq: seq++, offset });
  }
  return { events, sizes, exit, atMs };
}
