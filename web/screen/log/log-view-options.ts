// Options of a log, set by the surrounding pane.
import type { AskLines } from './past-lines.ts';
import type { AskMatches } from './past-search.ts';
import type { TerminalState } from '../../state/processes/terminal-state.ts';

/** State reported by a log: matches, lines hidden by the filter, the hovered or focused address, and skipped bytes. */
type LogState = Partial<Pick<TerminalState, 'matches' | 'hidden' | 'link' | 'missedBytes'>>;

export interface LogViewOptions {
  readonly key: string;
  readonly ask: AskLines;
  readonly askMatches: AskMatches;
  readonly onNewLines: (newLines: number | null) => void;
  /** Called when the selection becomes empty or non-empty; clearing it may make room for more output. */
  readonly onSelected: () => void;
  /** Called for Ctrl+C without a selection. */
  readonly onInterrupt: () => void;
  readonly onState: (change: LogState) => void;
}
