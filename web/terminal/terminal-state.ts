// What is said about a terminal beside what it shows; in the store, so never a byte of output.
import type { PaneMatches } from './pane-search.ts';

/** What a pane says about its terminal, beside what it shows. */
export interface TerminalState {
  readonly missedBytes: number;
  /** False while some of what was missed may still be seen. */
  readonly isExact: boolean;
  readonly isComplete: boolean;
  readonly hasJustReconnected: boolean;
  /** Why nothing will come, if so. */
  readonly refusal: string | null;
  /** What a person should know of what they have just done, until they have read it. */
  readonly notice: string | null;
  /** Lines that have come since the reader scrolled up; null while the terminal follows. */
  readonly newLines: number | null;
  /** Where the link under the pointer leads. */
  readonly link: string | null;
  /** What the search in the pane has found. */
  readonly matches: PaneMatches | null;
}

export const NOTHING_YET: TerminalState = {
  missedBytes: 0,
  isExact: true,
  isComplete: false,
  hasJustReconnected: false,
  refusal: null,
  notice: null,
  newLines: null,
  link: null,
  matches: null,
};
