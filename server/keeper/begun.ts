// Types for a process that already runs in the keeper: its child, and its events before this gateway started.
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { Child, ChildEvents, ChildExit } from '../host/child.ts';
import type { ProcessNotes } from './process-notes.ts';
import type { SeqJournal } from './seq-journal.ts';

/** A child that was started in another program, and the identity of its process. */
export interface Begun {
  readonly key: string;
  readonly startedAtMs: number;
  /** Returns the child, whose events are passed to `events` later, first those that have already arrived. */
  readonly begin: (events: ChildEvents) => Child;
  readonly journal: SeqJournal;
  readonly notes: ProcessNotes;
}

/** An event of the process from before this gateway started. */
export type PastStep =
  | {
      readonly kind: 'output';
      readonly stream: Stream;
      readonly bytes: Buffer;
      readonly atMs: number;
      /** True when these bytes end a chunk. */
      readonly isWhole: boolean;
      /** True when the next bytes belong to the same chunk; false for bytes that have no seq yet. */
      readonly isContinued: boolean;
    }
  | { readonly kind: 'resized'; readonly size: Size }
  /** Events whose output is missing; `ends`: the offsets at which they end. */
  | {
      readonly kind: 'missing';
      readonly ends: readonly number[];
      /** True when the preceding output belongs to the first of these events. */
      readonly isContinued: boolean;
    }
  | {
      readonly kind: 'exited';
      readonly exit: ChildExit;
      readonly sandboxDenied: boolean;
      readonly atMs: number;
      /** Null for an exit that an earlier gateway handled. `ranOutAtMs`: see `PastNotes`. */
      readonly unhandled: { readonly ranOutAtMs: number | null } | null;
    }
  | { readonly kind: 'closed' };
