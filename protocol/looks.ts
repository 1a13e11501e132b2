// Summaries of many processes: usage, screen tiles, and search hits in their output. Exec-console's extension
// of the protocol.
import type { Size } from './scalars.ts';

/** Resources used by a process, including everything in its OS session. */
export interface ProcessUsage {
  readonly key: string;
  /** CPU usage in cores: 2 means two busy cores. Null in the first measurement of the process. */
  readonly cpu: number | null;
  /** Resident memory; pages shared between processes count for each. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Listening TCP ports, each with its address, such as `127.0.0.1` or `::`. */
  readonly ports: readonly { readonly port: number; readonly address: string }[];
  /**
   * Everything in the OS session and all descendants, parents first, at most 200; only for the process named
   * by `tree`.
   */
  readonly tree?: readonly TreeProcess[];
}

export interface TreeProcess {
  readonly pid: number;
  /** PID of the parent; 0 if the parent is not listed. */
  readonly parent: number;
  readonly name: string;
  /** CPU usage in cores; null in the first measurement of the process. */
  readonly cpu: number | null;
  readonly memoryBytes: number;
}

/** Text in one style. Colours: 0 to 255 of the palette, or `#rrggbb`; absent for the terminal's default. */
export interface StyledRun {
  readonly text: string;
  readonly fg?: number | string;
  readonly bg?: number | string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly inverse?: boolean;
}

/** Small picture of a process: its screen, or its last lines if it has no terminal. */
export interface Tile extends Size {
  readonly key: string;
  /** Screen lines from the top, without invisible blanks at their end; without a terminal, the last lines of output. */
  readonly lines: readonly (readonly StyledRun[])[];
}

export interface SearchHit {
  readonly key: string;
  /** Decoded bytes of the process's output before the line. */
  readonly offset: number;
  readonly text: string;
  /** Start of the first match in `text`; `end` is the index after it. */
  readonly start: number;
  readonly end: number;
}

export interface SearchResult {
  /** Hits by process, most recently started first; within a process its newest hits, oldest first. */
  readonly hits: readonly SearchHit[];
  readonly searchedBytes: number;
  /** False when a limit on hits or time was reached, so that there may be more hits. */
  readonly isComplete: boolean;
}
