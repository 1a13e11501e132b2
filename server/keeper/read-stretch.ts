// Implements process/read for output that only a recording has, with a result of the same form as from the log in
// memory.
import type { ReadByKeyResult, SizeMark, TimedOutputChunk } from '../../protocol/console.ts';
import { EventLog } from './event-log.ts';
import type { LogEvent, OutputEvent } from './log-event.ts';
import type { LogView, ProcessView } from './process-view.ts';
import { readState } from './read.ts';

export interface StretchPage {
  readonly events: readonly LogEvent[];
  readonly sizes: readonly SizeMark[];
  readonly missedBytes: number;
}

export type SeenIn = (log: LogView) => (chunk: OutputEvent) => OutputEvent;

/**
 * Returns a function that maps each of `events` to what a reader sees of it. A secret may begin in `before`, which is
 * used only if it directly precedes `events`.
 */
export function seenAfter(
  before: readonly LogEvent[],
  events: readonly LogEvent[],
  seenIn: SeenIn,
): (chunk: OutputEvent) => OutputEvent {
  const isJoined = before.at(-1)?.seq === (events[0]?.seq ?? 0) - 1;
  return seenIn(EventLog.restored(isJoined ? [...before, ...events] : events, []));
}

/**
 * Returns the result of process/read for a page with at least one recorded event; `before` are the events right before
 * the page, in which a secret may begin.
 */
export function readStretch(
  process: ProcessView,
  { events, sizes, missedBytes }: StretchPage,
  {
    before,
    seenIn,
  }: {
    readonly before: readonly LogEvent[];
    readonly seenIn: SeenIn;
  },
): ReadByKeyResult {
  const seen = seenAfter(before, events, seenIn);
  const nextSeq = (events.at(-1)?.seq ?? 0) + 1;
  const { log } = process;
  return {
    ...readState(process),
    chunks: events
      .filter((event) => event.kind === 'output')
      .map((event): TimedOutputChunk => {
        const { seq, stream, bytes, atMs } = seen(event);
        return { seq, stream, chunk: bytes.toString('base64'), atMs };
      }),
    nextSeq: Math.min(nextSeq, log.nextSeq),
    missedBytes,
    exitedSeq: log.exitedSeq,
    closedSeq: log.closedSeq,
    sizes,
  };
}
