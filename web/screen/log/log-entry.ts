// Entries of a log: output lines, and markers that the page inserts between them.
import type { Stream } from '../../../protocol/process.ts';
import type { Run } from './open-line.ts';

/** A line of output. Its text changes only while the line is open. */
export interface LogLine {
  readonly kind: 'line';
  /** Line number, counted from 1 at the start of the output or after the last gap before the line. */
  number: number;
  isAfterGap: boolean;
  /** True for the rest of a line whose beginning is not in memory. */
  isRest?: boolean;
  /** True for the rest of an output line that was too long for one entry, or whose beginning was dropped. */
  readonly continues: boolean;
  readonly stream: Stream;
  /** Time at which the gateway read the chunk that contains the start of the line; null when unknown. */
  readonly atMs: number | null;
  /** Bytes of output before the line, over all streams. */
  readonly offset: number;
  text: string;
  runs: readonly Run[];
  /** Number of changes so far; a row drawn at an older version is redrawn. */
  version: number;
}

export interface LogDivider {
  readonly kind: 'divider';
  readonly text: string;
  readonly version: 0;
}

export type LogEntry = LogLine | LogDivider;

/** True when the entry continues the previous one, so that together they form one output line. */
export const isRestOf = (before: LogEntry | undefined, entry: LogEntry): boolean =>
  entry.kind === 'line' && entry.continues && before?.kind === 'line' && before.stream === entry.stream;
