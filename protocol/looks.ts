// Summaries of many processes: their usage, tiles of their screens, lines found in their output. Our own part of the
// wire.
import type { Size } from './scalars.ts';

/** Resources that a process uses, with everything in its OS session. */
export interface ProcessUsage {
  readonly key: string;
  /** Processor use in cores: 2 is two busy cores. Null in the first measurement. */
  readonly cpu: number | null;
  /** Resident; what processes share is counted with each. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** TCP, with the address that is listened on, as `127.0.0.1` or `::`. */
  readonly ports: readonly { readonly port: number; readonly address: string }[];
  /** Everything in its OS session and all descendants, parents first, where `tree` named it; at most 200. */
  readonly tree?: readonly TreeProcess[];
}

/** One process of the operating system. */
export interface TreeProcess {
  readonly pid: number;
  /** The parent's pid; 0 where the parent is not one of those listed. */
  readonly parent: number;
  readonly name: string;
  /** Processor use in cores; null in its first measurement. */
  readonly cpu: number | null;
  readonly memoryBytes: number;
}

/** Text of one style. Colours: 0 to 255 of the palette, or `#rrggbb`; absent is the terminal's own. */
export interface StyledRun {
  readonly text: string;
  readonly fg?: number | string;
  readonly bg?: number | string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly inverse?: boolean;
}

/** A small picture of a process: its screen, or without a terminal its last lines. */
export interface Tile extends Size {
  readonly key: string;
  /**
   * Lines from the top; blanks at their ends are left out, and so are blank rows at the end for a process without a
   * terminal.
   */
  readonly lines: readonly (readonly StyledRun[])[];
}

/** A line of some output, as text. */
export interface SearchHit {
  readonly key: string;
  /** Decoded bytes of all of the process's output before the line. */
  readonly offset: number;
  readonly text: string;
  /** Index in `text` where the first match begins; `end` is where it ends. */
  readonly start: number;
  readonly end: number;
}

export interface SearchResult {
  /** Hits grouped by process, the most recently started first; for each its newest hits, oldest first. */
  readonly hits: readonly SearchHit[];
  readonly searchedBytes: number;
  /** False when there may be more: the number of hits or the time reached its limit. */
  readonly isComplete: boolean;
}
