// The collaborators of a terminal session, as the page gives them to each one.
import type { Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Connection, RemoteProcess } from '../../../client/exec-client.ts';
import type { TerminalState } from '../../state/processes/terminal-state.ts';
import type { WebglLeases } from './webgl-leases.ts';

export interface TerminalSessionOptions {
  readonly process: RemoteProcess;
  readonly info: ProcessInfo;
  readonly connection: Connection;
  /** Null where the DOM draws faster. */
  readonly webgl: WebglLeases<Terminal> | null;
  /** The same as in `TypingOptions`. */
  readonly mayType: () => boolean;
  readonly mayReport: () => boolean;
  /** True when the person here started the process. */
  readonly isOwn: () => boolean;
  /** Why it may not, where the pane does not say so anyway. */
  readonly whyNot: () => string | null;
  readonly onState: (state: TerminalState) => void;
}
