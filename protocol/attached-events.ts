// Events that only an attachment by key gets, beside those of the process itself.
import type { SizeMark } from './console.ts';

/** Exactly what an attachment will not get: the events between the two seqs, `bytes` decoded over all streams. */
export interface GapEvent {
  readonly key: string;
  readonly processId: string;
  readonly afterSeq: number;
  readonly nextSeq: number;
  readonly bytes: number;
}

export interface ResizedEvent extends SizeMark {
  readonly key: string;
  readonly processId: string;
}
