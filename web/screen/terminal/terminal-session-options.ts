// Collaborators of a terminal session, as the page passes them to each one.
import type { Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Connection, RemoteProcess } from '../../../client/exec-client.ts';
import type { TerminalState } from '../../state/processes/terminal-state.ts';
import type { WebglLeases } from './webgl-leases.ts';

export interface TerminalSessionOptions {
  readonly process: RemoteProcess;
  readonly info: ProcessInfo;
  readonly connection: Connection;
  /** Leases of WebGL contexts; null where the DOM draws faster. */
  readonly webgl: WebglLeases<Terminal> | null;
  /** The same as in `TypingOptions`. */
  readonly mayType: () => boolean;
  readonly mayReport: () => boolean;
  /** Returns true when the person at this page started the process. */
  readonly isOwn: () => boolean;
  /** Returns the reason why typing is not possible; null where the pane shows it anyway. */
  readonly whyNot: () => string | null;
  readonly onState: (state: TerminalState) => void;
}
