// Acts of people and clients on a process, as they are noted for a later gateway. Plain values, and never the typed text.
import type { EndedBy, PlacedAct } from '../../protocol/console.ts';
import type { Terminating } from '../host/termination.ts';
import type { Typed } from './typed.ts';

/** The acts that are shown, and those that decide to which person or client an end is attributed. */
export interface ActsSoFar {
  readonly all: readonly PlacedAct[];
  readonly lastEnding: EndedBy | null;
  readonly terminatedBy: EndedBy | null;
  readonly hasGoneOn: boolean;
  readonly endedBy: EndedBy | null;
}

/** All lines of one writer, and when the last one was typed. */
export interface TypedSoFar extends Typed {
  readonly atMs: number;
}

/** Takes notes on one process. */
export interface ProcessNotes {
  acted(soFar: ActsSoFar): void;
  typed(soFar: TypedSoFar): void;
}

/** Acts on a process before this gateway was there. */
export interface PastNotes {
  readonly acts: ActsSoFar | null;
  /** The one that typed last comes last. */
  readonly typed: readonly TypedSoFar[];
  readonly terminating: Terminating | null;
  /** Time at which the keeper began that, since no gateway came back; null when it has not. */
  readonly ranOutAtMs: number | null;
}
