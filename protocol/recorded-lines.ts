// Lines of a recording by position. Exec-console's extension of the protocol.
import { z } from 'zod';
import type { Stream } from './process.ts';
import { count } from './scalars.ts';

/** Maximum number of rows per page. */
const PAGE_ROWS = 2000;

export const linesParams = z.object({
  key: z.string().max(64),
  /** First row to return, from 0; default: 0, or the row of `offset`. */
  row: count.optional(),
  /** Byte of the output to locate; without `row`, the page starts with the row that contains the byte. */
  offset: count.optional(),
  limit: count.min(1).max(PAGE_ROWS).optional(),
});

/** A line of output or a gap, each one row; rows are numbered from 0. */
export type RecordedRow =
  | {
      readonly row: number;
      readonly kind: 'line';
      /** Line number, counted from 1 at the start or after the last gap. */
      readonly number: number;
      readonly isAfterGap: boolean;
      readonly stream: Stream;
      /** Bytes of output before the line. */
      readonly offset: number;
      /** Time when the gateway read the start of the line. */
      readonly atMs: number;
      /** Text as printed, with control sequences, without the line feed. */
      readonly text: string;
      /** True when the line is longer than `text`. */
      readonly isCut: boolean;
    }
  | {
      readonly row: number;
      readonly kind: 'gap';
      /** Number of bytes missing from the recording. */
      readonly bytes: number;
    };

/** Position of a byte in rows and lines. */
export interface RowPlace {
  /** Number of rows that begin before the byte. */
  readonly row: number;
  /** Number of lines that begin before the byte, counted from the last gap. */
  readonly number: number;
  readonly isAfterGap: boolean;
  /** Streams with an unfinished line at the byte. */
  readonly open: readonly Stream[];
}

export interface LinesResult {
  readonly rows: readonly RecordedRow[];
  /** Position of `offset`; null without `offset`, or beyond the end of the output. */
  readonly place: RowPlace | null;
}
