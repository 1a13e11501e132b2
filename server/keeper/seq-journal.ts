// Interface of a journal that saves a log's seqs for a later gateway.
import type { Stream } from '../../protocol/process.ts';

/** A sealed event, without its bytes. */
export interface Sealed {
  readonly kind: Stream | 'exited' | 'closed';
  /** Decoded bytes of all output up to and including this event. */
  readonly endOffset: number;
  readonly atMs: number;
  /** Facts of an exit; 0 and false for other events. */
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
}

/** A journal of all events; each is added before a reader can see it. */
export interface SeqJournal {
  add(sealed: Sealed): void;
}
