// The needs of a log from the pane that it is in.
import type { TerminalState } from '../../state/processes/terminal-state.ts';

/** Matches, lines hidden by the filter, and the address under the pointer or the focus. */
type LogState = Partial<Pick<TerminalState, 'matches' | 'hidden' | 'link'>>;

export interface LogViewOptions {
  readonly key: string;
  readonly onNewLines: (newLines: number | null) => void;
  /** Something is selected, or nothing any more: then there may be room for more. */
  readonly onSelected: () => void;
  /** Called for Ctrl+C without a selection. */
  readonly onInterrupt: () => void;
  readonly onState: (change: LogState) => void;
}
