// A process that is being recorded, until its entry in the catalogue is written.
import type { Flushed } from './flush.ts';
import type { Recording } from './recording.ts';
import type { ProcessFacts } from './stored-meta.ts';

/** The process that is recorded. */
export interface Source {
  /** Asked at its start and at its end. */
  readonly describe: () => ProcessFacts;
  /** Hands over output that is still being gathered. */
  readonly gather: () => void;
  /** Holds the process back until the result is called. */
  readonly hold: () => () => void;
}

export interface Kept extends Flushed {
  readonly recording: Recording;
  readonly startedAtMs: number;
  readonly source: Source;
  /** True for a process of an earlier gateway. */
  readonly isContinued: boolean;
  marks: string[];
  isPrepared: boolean;
  /** True once other gateways may know of it: a note says that it is not finished. */
  isNoted: boolean;
  isOver: boolean;
  endedAtMs: number;
  /** The writing under way. */
  work: Promise<void>;
  /** True while a writing has not begun, which takes all that comes until then. */
  isWriteDue: boolean;
  /** Resolves when those that were over before have their place in the catalogue. */
  turn: Promise<void>;
  /** Called when this one has its place, or gets none. */
  giveTurn: () => void;
}
