// Lines of a recording by their place in it: our own part of the wire.
import { z } from 'zod';
import type { Stream } from './process.ts';
import { count } from './scalars.ts';

/** Most rows of one page. */
const PAGE_ROWS = 2000;

export const linesParams = z.object({
  key: z.string().max(64),
  /** The first row that is wanted, from 0. */
  row: count.optional(),
  /** A byte of all output: its place is told, and without `row` the page begins with the row that has it. */
  offset: count.optional(),
  limit: count.min(1).max(PAGE_ROWS).optional(),
});

/** A line of output, or a gap: each is one row, and rows are numbered from 0. */
export type RecordedRow =
  | {
      readonly row: number;
      readonly kind: 'line';
      /** Line number: counted from 1, or from the last gap. */
      readonly number: number;
      readonly isAfterGap: boolean;
      readonly stream: Stream;
      /** Bytes of all output before the line. */
      readonly offset: number;
      /** Time when the gateway read the beginning of the line. */
      readonly atMs: number;
      /** Text as it was printed, with control sequences, without the line feed. */
      readonly text: string;
      /** True when the line is longer than its text. */
      readonly isCut: boolean;
    }
  | {
      readonly row: number;
      readonly kind: 'gap';
      /** Bytes that are not kept. */
      readonly bytes: number;
    };

/** The rows before a byte. */
export interface RowPlace {
  /** Rows that begin before it. */
  readonly row: number;
  /** Lines that begin before it, counted from the last gap. */
  readonly number: number;
  readonly isAfterGap: boolean;
  /** Streams whose last line before it has not ended there. */
  readonly open: readonly Stream[];
}

export interface LinesResult {
  readonly rows: readonly RecordedRow[];
  /** Place of `offset`; null without one, and for one beyond what is recorded. */
  readonly place: RowPlace | null;
}
