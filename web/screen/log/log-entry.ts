// Entries of a log: lines of output, and notes of the page between them.
import type { Stream } from '../../../protocol/process.ts';
import type { Run } from './open-line.ts';

/** A line of output. Its text changes only while it is open. */
export interface LogLine {
  readonly kind: 'line';
  /** Line number: counted from 1, or from the last gap. */
  number: number;
  isAfterGap: boolean;
  /** True for the rest of a line whose beginning is not in memory. */
  isRest?: boolean;
  /** True when the line is the rest of the line before, which was too long. */
  readonly continues: boolean;
  readonly stream: Stream;
  /** Time at which the gateway read the chunk in which the line begins; null when unknown. */
  readonly atMs: number | null;
  /** Bytes of all output before the line. */
  readonly offset: number;
  text: string;
  runs: readonly Run[];
  /** Increases with every change. */
  version: number;
}

/** A note of the page between the lines. */
export interface LogDivider {
  readonly kind: 'divider';
  readonly text: string;
  readonly version: 0;
}

export type LogEntry = LogLine | LogDivider;

/** True when the entry continues the one before, so that both are one line of output when joined. */
export const isRestOf = (before: LogEntry | undefined, entry: LogEntry): boolean =>
  entry.kind === 'line' && entry.continues && before?.kind === 'line' && before.stream === entry.stream;
