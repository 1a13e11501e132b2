// Facts with which the recording of one process begins, and its options.
import type { RecordLimits } from './limits.ts';
import type { OutputCopies } from './output-copies.ts';

export interface RecordingStart {
  /** Number of the next event, and the bytes of all output before it. */
  readonly seq: number;
  readonly offset: number;
  /** True for a process of an earlier gateway, whose recorded events are skipped. */
  readonly isContinued: boolean;
}

export interface RecordingOptions {
  readonly limits: RecordLimits;
  readonly copies: OutputCopies;
  /** Called with the number of output bytes that are no longer queued, whether or not they were written. */
  readonly taken: (bytes: number) => void;
  /** Called when a segment is finished because the next one has begun. */
  readonly finished: () => void;
}
