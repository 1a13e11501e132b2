// What a log needs of the pane that it is in.
import type { TerminalState } from '../../state/processes/terminal-state.ts';

/** What the log has found, what its filter hides, and the address that is pointed at or has the keyboard. */
type LogState = Partial<Pick<TerminalState, 'matches' | 'hidden' | 'link'>>;

export interface LogViewOptions {
  readonly key: string;
  readonly onNewLines: (newLines: number | null) => void;
  /** Something is selected, or nothing any more: then there may be room for more. */
  readonly onSelected: () => void;
  /** What Ctrl+C does where nothing is selected. */
  readonly onInterrupt: () => void;
  readonly onState: (change: LogState) => void;
}
