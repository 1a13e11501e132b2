// Dependencies of a terminal session, passed by the page to every session.
import type { Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Connection, RemoteProcess } from '../../../client/exec-client.ts';
import type { TerminalState } from '../../state/processes/terminal-state.ts';
import type { WebglLeases } from './webgl-leases.ts';

export interface TerminalSessionOptions {
  readonly process: RemoteProcess;
  readonly info: ProcessInfo;
  readonly connection: Connection;
  /** Leases of WebGL contexts; null where the DOM renderer is faster. */
  readonly webgl: WebglLeases<Terminal> | null;
  /** Conditions for typing and reports, as in `TypingOptions`. */
  readonly mayType: () => boolean;
  readonly mayReport: () => boolean;
  /** Returns true when the person at this page started the process. */
  readonly isOwn: () => boolean;
  /** Returns the reason why typing is not possible; null when there is none, or when the pane already shows it. */
  readonly whyNot: () => string | null;
  readonly onState: (state: TerminalState) => void;
}
