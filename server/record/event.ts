// Recorded events of one process, with the same members as those of its event log.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';

/** `offset` is the number of decoded bytes of output before the event, over all streams. */
export type RecordedEvent =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly offset: number;
      readonly stream: Stream;
      readonly bytes: Buffer;
      readonly atMs: number;
    }
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly offset: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
    }
  | { readonly kind: 'closed'; readonly seq: number; readonly offset: number };

/** Size of the terminal after event `afterSeq`. */
export interface RecordedSize extends Size {
  readonly afterSeq: number;
}

/** Events of a recording with consecutive numbers. */
export interface Stretch {
  /** Bytes of output that are missing between the requested place and the first event; 0 when reading backwards. */
  readonly missedBytes: number;
  readonly events: readonly RecordedEvent[];
  /** Sizes of the terminal in order, beginning with the one at the first event if it is recorded. */
  readonly sizes: readonly RecordedSize[];
}
