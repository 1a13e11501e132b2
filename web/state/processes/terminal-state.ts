// State that a terminal's pane shows in addition to the output.
import type { PaneMatches } from './searchable.ts';

/** Effect of a filter on a log. */
export interface HiddenLines {
  readonly lines: number;
  /** True when no line is left to show. */
  readonly isAll: boolean;
  /** True when the filter applies only to the newest lines: earlier recorded lines are not filtered. */
  readonly isPartial?: boolean;
}

/** Part of the state that depends on connection outages. */
export interface OutageShown {
  readonly hasJustReconnected: boolean;
  /**
   * Message about an outage that interrupted typing, shown until it is dismissed or the typed line is finished; null
   * when there is none.
   */
  readonly outage: string | null;
}

export interface TerminalState extends OutageShown {
  readonly missedBytes: number;
  /** False while the screen may be affected by skipped output. */
  readonly isExact: boolean;
  readonly isComplete: boolean;
  /** Reason why no output will arrive; null when output is expected. */
  readonly refusal: string | null;
  /** Message about the person's latest action, until it is dismissed. */
  readonly notice: string | null;
  /** Reason why the latest action had no effect; disappears by itself. */
  readonly hint: string | null;
  /** Number of lines added since the reader scrolled up; null while the terminal follows the end. */
  readonly newLines: number | null;
  /** True when new output is not requested or drawn because earlier output is being read. */
  readonly isHeld: boolean;
  /** Target of the hovered link. */
  readonly link: string | null;
  /** Number of characters that the program requests to copy to the clipboard; null when there is no request. */
  readonly copyRequest: number | null;
  /** True when keys go to the program rather than to the page. */
  readonly hasKeyboard: boolean;
  /** True when the next key counts as pressed with Ctrl. */
  readonly isCtrlHeld: boolean;
  /** Lines hidden by a filter; null when no filter is set. */
  readonly hidden: HiddenLines | null;
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
