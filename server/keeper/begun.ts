// A process that has begun in another program: its child, and what it did before this gateway was there.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { Child, ChildEvents, ChildExit } from '../host/child.ts';
import type { ProcessNotes } from './process-notes.ts';
import type { SeqJournal } from './seq-journal.ts';

/** A child that has been started elsewhere, and what its process is known by. */
export interface Begun {
  readonly key: string;
  readonly startedAtMs: number;
  /** Emits the child's events from now on. */
  readonly begin: (events: ChildEvents) => Child;
  readonly journal: SeqJournal;
  readonly notes: ProcessNotes;
}

/** A step of what a process did before this gateway was there. */
export type PastStep =
  | {
      readonly kind: 'output';
      readonly stream: Stream;
      readonly bytes: Buffer;
      readonly atMs: number;
      /** True for the last bytes of a chunk. */
      readonly isWhole: boolean;
    }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'begun'; readonly seq: number; readonly offset: number }
  | {
      readonly kind: 'exited';
      readonly exit: ChildExit;
      readonly sandboxDenied: boolean;
      readonly atMs: number;
    }
  | { readonly kind: 'closed' };
