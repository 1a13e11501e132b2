// Options of a log, as the pane around it sets them.
import type { AskLines } from './past-lines.ts';
import type { TerminalState } from '../../state/processes/terminal-state.ts';

/** Matches, lines hidden by the filter, the address under the pointer or the focus, and bytes that are not shown. */
type LogState = Partial<Pick<TerminalState, 'matches' | 'hidden' | 'link' | 'missedBytes'>>;

export interface LogViewOptions {
  readonly key: string;
  /** Reads recorded lines. */
  readonly ask: AskLines;
  readonly onNewLines: (newLines: number | null) => void;
  /** Called when the selection becomes empty, which may make room for more, or is no longer empty. */
  readonly onSelected: () => void;
  /** Called for Ctrl+C without a selection. */
  readonly onInterrupt: () => void;
  readonly onState: (change: LogState) => void;
}
