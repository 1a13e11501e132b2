// The seqs of a log as they are noted for a later gateway.
import type { Stream } from '../../protocol/process.ts';

/** An event that has its seq, without its bytes. */
export interface Sealed {
  readonly kind: Stream | 'exited' | 'closed';
  /** Decoded bytes of all output up to and with it. */
  readonly endOffset: number;
  readonly atMs: number;
  /** The two facts of an exit; else 0 and false. */
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
}

/** A journal of all events: each is noted before any reader can have it. */
export interface SeqJournal {
  add(sealed: Sealed): void;
}
