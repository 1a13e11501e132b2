// Events of a whole segment, with their original numbers.
import type { RecordedEvent, RecordedSize } from './event.ts';
import { isOutput, recordsIn, type SegmentHead } from './segment-format.ts';
import { decodeCount, decodeExit, decodeSize, type RecordedExit } from './segment-payloads.ts';

export type DatedExit = RecordedExit & { readonly atMs: number };

export interface SegmentEvents {
  readonly events: readonly RecordedEvent[];
  readonly sizes: readonly RecordedSize[];
  readonly exit: DatedExit | null;
  /** Time of the last record. */
  readonly atMs: number;
}

export const NOTHING: SegmentEvents = { events: [], sizes: [], exit: null, atMs: 0 };

/** Returns the events. A damaged part counts as one event, until a record with an event number corrects the count. */
export function eventsIn(bytes: Buffer, head: SegmentHead): SegmentEvents {
  const events: RecordedEvent[] = [];
  const sizes: RecordedSize[] = [];
  let exit: DatedExit | null = null;
  // The first event of each segment is preceded by its number.
  let seq = 1;
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
