// State of a pane's terminal that the page shows besides the output itself. It is in the store, so never a byte of
// output.
import type { PaneMatches } from './searchable.ts';

/** Effect of a filter on a log. */
export interface HiddenLines {
  readonly lines: number;
  /** True when no line is left to show. */
  readonly isAll: boolean;
  /** True when it applies to the newest lines only: recorded ones before these are not filtered. */
  readonly isPartial?: boolean;
}

/** The part of the state that an outage of the connection sets. */
export interface OutageShown {
  readonly hasJustReconnected: boolean;
  /** Effect of the outage on typed keys, until it is dismissed or the line is ended; null where there was none. */
  readonly outage: string | null;
}

export interface TerminalState extends OutageShown {
  readonly missedBytes: number;
  /** False while the screen may show effects of missed output. */
  readonly isExact: boolean;
  readonly isComplete: boolean;
  /** Reason why no output will arrive; null when there is none. */
  readonly refusal: string | null;
  /** Message about an action that the person has just taken, until it is read. */
  readonly notice: string | null;
  /** Reason why the last attempt had no effect; disappears by itself. */
  readonly hint: string | null;
  /** Lines that have come since the reader scrolled up; null while the terminal follows. */
  readonly newLines: number | null;
  /** True when new output is not requested or not drawn, while earlier output is read. */
  readonly isHeld: boolean;
  /** Target of the link under the pointer. */
  readonly link: string | null;
  /** Number of characters that the program wants to copy to the clipboard; null when there is no request. */
  readonly copyRequest: number | null;
  /** True when keys go to the program, and not to the page. */
  readonly hasKeyboard: boolean;
  /** True when the next key counts as pressed together with Ctrl. */
  readonly isCtrlHeld: boolean;
  /** Lines hidden by a filter; null where none is set. */
  readonly hidden: HiddenLines | null;
  /** Results of the search in the pane. */
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
