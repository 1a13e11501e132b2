// What a look at many processes gives: what they use, pictures of them, lines found in their output. Ours on the wire.
import type { Size } from './scalars.ts';

/** What a process uses of the machine, with everything in its OS session. */
export interface ProcessUsage {
  readonly key: string;
  /** Of one core: 2 is two cores busy. Null at the first look. */
  readonly cpu: number | null;
  /** Resident; what processes share is counted with each. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** TCP, with the address that is listened on, as `127.0.0.1` or `::`. */
  readonly ports: readonly { readonly port: number; readonly address: string }[];
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
  /** From above; blanks at their ends, and of a process without a terminal blank rows at the end, are left out. */
  readonly lines: readonly (readonly StyledRun[])[];
}

/** A line of some output, as text. */
export interface SearchHit {
  readonly key: string;
  /** Decoded bytes of all of the process's output before the line. */
  readonly offset: number;
  readonly text: string;
  /** Where in `text` the first match is. */
  readonly start: number;
  readonly end: number;
}

export interface SearchResult {
  /** Of the processes that started last first; of each the newest, oldest first. */
  readonly hits: readonly SearchHit[];
  readonly searchedBytes: number;
  /** False when there may be more: too many hits for all to be given, or it took too long to look further. */
  readonly isComplete: boolean;
}
