// Types of the notes on a process that are saved for a later gateway as plain values; typed text is never saved.
import type { EndedBy, PlacedAct } from '../../protocol/console.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { Terminating } from '../host/termination.ts';
import type { Typed } from './typed.ts';

/** Acts to show, and the acts to which the end may be attributed. */
export interface ActsSoFar {
  readonly all: readonly PlacedAct[];
  readonly lastEnding: EndedBy | null;
  readonly terminatedBy: EndedBy | null;
  readonly hasGoneOn: boolean;
  readonly endedBy: EndedBy | null;
}

/** Number of lines typed by one writer, and the time of the last one. */
export interface TypedSoFar extends Typed {
  readonly atMs: number;
}

/** Saves the acts on one process, and the counts of the lines typed into it. */
export interface ProcessNotes {
  acted(soFar: ActsSoFar): void;
  typed(soFar: TypedSoFar): void;
}

/** Notes on a process from before this gateway started. */
export interface PastNotes {
  readonly acts: ActsSoFar | null;
  /** Lines per writer, the most recent writer last. */
  readonly typed: readonly TypedSoFar[];
  readonly terminating: Terminating | null;
  /** Time of an exit that the keeper has reported; null while the process is running, and without a keeper. */
  readonly exitedAtMs: number | null;
  /** Time at which the keeper started the termination because no gateway came back; null when it did not. */
  readonly ranOutAtMs: number | null;
  /** Size of the terminal in the keeper; null when it is unknown. */
  readonly size: Size | null;
}
