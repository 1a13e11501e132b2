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
  /** True when some records are damaged, so that output may be missing. */
  readonly isDamaged: boolean;
  /** Time of the last valid record; 0 when there is none. */
  readonly atMs: number;
}

export const NOTHING: SegmentEvents = {
  events: [],
  sizes: [],
  exit: null,
  isDamaged: false,
  atMs: 0,
};

/** State around the events of a segment or frame. */
interface Around extends Pick<FrameStart, 'seq' | 'size'> {
  /** Number of the first event after them; absent when there is none, or when it is unknown. */
  readonly nextSeq?: number | undefined;
}

/**
 * Returns the events, the terminal's sizes and the exit. A damaged part counts as one event, until a record with an
 * event number corrects the count.
 */
export function eventsIn(
  bytes: Buffer,
  head: SegmentHead,
  around: Around = { seq: 1, size: null },
): SegmentEvents {
  const events: RecordedEvent[] = [];
  let { seq } = around;
  /** Index of the first event after the last damaged part; null when nothing is damaged. */
  let damagedAt: number | null = null;
  /**
   * Sets the number of the next event. If the count was too high, the damaged part was not an event, and the events
   * after it are renumbered.
   */
  const place = (next: number): void => {
    if (next < seq && damagedAt !== null) renumber(events, damagedAt, next - seq);
    seq = next;
  };
  let isPlaced = false;
  const sizes: RecordedSize[] = around.size ? [around.size] : [];
  let exit: DatedExit | null = null;
  let atMs = 0;
  for (const record of recordsIn(bytes, head)) {
    if (record.type === 'damage') {
      // Damage before the first event number is that number or a size, but not an event.
      if (isPlaced || events.length > 0) seq += 1;
      damagedAt = events.length;
      continue;
    }
    const { type, payload, offset } = record;
    ({ atMs } = record);
    if (type === 'place') {
      place(decodeCount(payload) ?? seq);
      isPlaced = true;
    } else if (isOutput(type))
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
  if (around.nextSeq !== undefined && around.nextSeq < seq) place(around.nextSeq);
  return { events, sizes, exit, isDamaged: damagedAt !== null, atMs };
}

function renumber(events: RecordedEvent[], from: number, by: number): void {
  for (const [at, event] of events.entries()) if (at >= from) events[at] = { ...event, seq: event.seq + by };
}
