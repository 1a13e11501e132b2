// Events of one process as they are recorded: the same members as those of its log, wherever that is.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';

/** `offset`: decoded bytes of output before it, over all streams. */
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

/** The terminal had this size after event `afterSeq`. */
export interface RecordedSize extends Size {
  readonly afterSeq: number;
}

/** A stretch of a recording: events whose numbers follow one another. */
export interface Stretch {
  /** Bytes of output between the place asked for and the first event that are not kept. */
  readonly missedBytes: number;
  readonly events: readonly RecordedEvent[];
  /** The first is the size at the first event. */
  readonly sizes: readonly RecordedSize[];
}
