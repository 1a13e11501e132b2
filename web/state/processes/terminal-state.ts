// The state of a pane's terminal that the page shows beside the output itself. It is in the store, so never a byte of output.
import type { PaneMatches } from './searchable.ts';

/** The effect of a filter on a log. */
export interface HiddenLines {
  readonly lines: number;
  /** No line is left to show. */
  readonly isAll: boolean;
}

/** The part of it that an outage of the connection sets. */
export interface OutageShown {
  readonly hasJustReconnected: boolean;
  /** The effect of the outage on typed keys, until it is dismissed or the line is ended; null where there was none. */
  readonly outage: string | null;
}

export interface TerminalState extends OutageShown {
  readonly missedBytes: number;
  /** False while some of what was missed may still be seen. */
  readonly isExact: boolean;
  readonly isComplete: boolean;
  /** Why nothing will come, if so. */
  readonly refusal: string | null;
  /** What a person should know of what they have just done, until they have read it. */
  readonly notice: string | null;
  /** Why what was just tried does nothing; goes by itself. */
  readonly hint: string | null;
  /** Lines that have come since the reader scrolled up; null while the terminal follows. */
  readonly newLines: number | null;
  /** Whether what comes is not asked for, or not drawn, while what has come is read. */
  readonly isHeld: boolean;
  /** Where the link under the pointer leads. */
  readonly link: string | null;
  /** So many characters its program wants in the clipboard of who sits here; null when none. */
  readonly copyRequest: number | null;
  /** Whether keys go to the program, and not to the page. */
  readonly hasKeyboard: boolean;
  /** Whether the next key counts as pressed together with Ctrl. */
  readonly isCtrlHeld: boolean;
  /** Null where no filter is on. */
  readonly hidden: HiddenLines | null;
  /** What the search in the pane has found. */
  readonly matches: PaneMatches | null;
}

export const NOTHING_YET: TerminalState = {
  missedBytes: 0,
  isExact: true,
  isComplete: false,
  hasJustReconnected: false,
  outage: null,
  refusal: null,
  notice: null,
  hint: null,
  newLines: null,
  isHeld: false,
  link: null,
  copyRequest: null,
  hasKeyboard: false,
  isCtrlHeld: false,
  hidden: null,
  matches: null,
};
