// State of a process that is being recorded, until its entry is in the catalogue.
import type { Flushed } from './flush.ts';
import type { Recording } from './recording.ts';
import type { ProcessFacts, StoredMeta } from './stored-meta.ts';

export interface Source {
  /** Returns the current facts of the process. */
  readonly describe: () => ProcessFacts;
  /** Adds pending output of the process to its recording. */
  readonly gather: () => void;
  /** Pauses the process until the returned function is called. */
  readonly hold: () => () => void;
}

export interface LiveRecording extends Flushed {
  readonly recording: Recording;
  readonly startedAtMs: number;
  source: Source;
  /** True for a process of an earlier gateway. */
  readonly isContinued: boolean;
  marks: string[];
  isPrepared: boolean;
  /** True once the recording may have a folder and a note, so that it is no longer written as a short one. */
  isNoted: boolean;
  isOver: boolean;
  /** Catalogue entry of a short recording whose file is written; otherwise null. */
  entry: string | null;
  isListed: boolean;
  endedAtMs: number;
  /** Resolves when the write that was scheduled last has ended. */
  work: Promise<void>;
  /** True while a write is scheduled but has not begun; it will include everything added until then. */
  isWriteDue: boolean;
  /**
   * Resolves when all recordings that ended before this one have passed their entries to the catalogue or failed, so
   * that entries are in the order in which processes ended.
   */
  turn: Promise<void>;
  /** Called when the catalogue has received the entry of this recording, or when the recording has failed. */
  giveTurn: () => void;
}

/** Returns the facts of a recorded process; `endedAtMs`: null while it runs. */
export const storedMetaOf = ({ recording, source }: LiveRecording, endedAtMs: number | null): StoredMeta => ({
  version: 1,
  ...source.describe(),
  endedAtMs,
  recordedBytes: recording.storedBytes,
  lostBytes: recording.lostBytes,
});

/** Returns a source with the facts of an ended process, so that the process and its output need not be retained. */
export function endedSource(source: Source): Source {
  const facts = source.describe();
  return { describe: () => facts, gather: () => {}, hold: () => () => {} };
}

export const liveRecording = (
  recording: Recording,
  startedAtMs: number,
  source: Source,
  isContinued: boolean,
): LiveRecording => ({
  recording,
  startedAtMs,
  source,
  isContinued,
  marks: [],
  beganMs: performance.now(),
  isPrepared: false,
  isNoted: isContinued,
  isOver: false,
  entry: null,
  isListed: false,
  endedAtMs: startedAtMs,
  work: Promise.resolve(),
  isWriteDue: false,
  turn: Promise.resolve(),
  giveTurn: () => {},
});
