// Open terminals by key: created when a pane first shows a process, disposed of when its pane closes.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { mayAct } from '../../../client/connection-state.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { isOwn } from '../../state/processes/ready-to-type.ts';
import { onceLoaded } from '../../state/page/once-loaded.ts';
import type { LineLink } from '../../state/page/line-link.ts';
import { showAllStreams, showAsLog } from '../../state/page/pipe-view.ts';
import { inControl, ownOf } from '../../state/processes/people.ts';
import { isLive } from '../../../text/process-words.ts';
import { processStore, type ShownConnection } from '../../state/processes/process-store.ts';
import type { Terminal } from '@xterm/xterm';
import type { OutputLine } from './line-marks.ts';
import type { TerminalSession } from './terminal-session.ts';
import type { TerminalState } from '../../state/processes/terminal-state.ts';
import { WebglLeases } from './webgl-leases.ts';
import { isWebglWanted, loadWebgl } from './webgl-renderer.ts';
import { byText } from '../../../text/act-text.ts';

/** Maximum number of WebGL contexts of this page: nobody reads more terminals at once; see `WebglLeasesOptions`. */
const MOST_CONTEXTS = 12;

export interface TerminalsOptions {
  readonly client: ExecClient;
  readonly onState: (key: string, state: TerminalState) => void;
}

type Sessions = typeof import('./terminal-session.ts');

export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #open = new Map<string, TerminalSession>();
  readonly #webgl = isWebglWanted()
    ? new WebglLeases<Terminal>({ most: MOST_CONTEXTS, load: loadWebgl })
    : null;
  /** Keys of the processes that this page controls, as last reported. */
  readonly #controlled = new Set<string>();
  #sessions: Sessions | null = null;
  /** Line to show once the terminal of its process is open. */
  #wanted: WantedLine | null = null;

  constructor(options: TerminalsOptions) {
    this.#options = options;
    // The listeners are never removed, since this object lives as long as the page.
    window.addEventListener('pagehide', () => {
      for (const { input } of this.#open.values()) input.reports.end();
    });
    processStore.subscribe(({ connection }, before) => {
      if (connection.kind !== 'online' || before.connection.kind !== 'silent') return;
      for (const { outage } of this.#open.values()) outage.responds();
    });
    options.client.processes.onChanged(({ processes = [] }) => {
      for (const info of processes) {
        this.#markInput(info);
        this.#reportController(info);
        this.#open.get(info.key)?.actMarks.update(info, options.client.connection.state);
      }
    });
  }

  /** Adds a marker to the pane for input from another session; see `InputMarks`. */
  #markInput({ key, lastInput }: ProcessInfo): void {
    const session = this.#open.get(key);
    const { connection } = this.#options.client;
    const own = connection.state.kind === 'online' ? connection.state.session : null;
    if (!lastInput || !session?.inputMarks.isNew(lastInput, own)) return;
    session.divide(`input${byText(lastInput.who)}`);
  }

  /** Reports the controller to the terminal session, and shows in a tty's pane who took control from this page. */
  #reportController({ key, tty, controller }: ProcessInfo): void {
    const session = this.#open.get(key);
    const { connection, processes } = this.#options.client;
    const own = ownOf(connection.state);
    if (!session || own === null) return;
    session.input.reports.controllerIs(controller === own ? 'own' : controller === null ? 'nobody' : 'other');
    const hadControl = this.#controlled.delete(key);
    if (controller === own) this.#controlled.add(key);
    else if (tty && hadControl && controller !== null) {
      session.report(
        `${inControl(controller, { people: processes.people(), connection: connection.state })} now`,
      );
    }
  }

  /** Loads xterm.js, which is not part of the initial load. No terminal opens before it has loaded. */
  readonly load = onceLoaded(async () => {
    this.#sessions = await import('./terminal-session.ts');
  });

  get(key: string): TerminalSession | undefined {
    return this.#open.get(key);
  }

  /**
   * Returns the terminal of a process, opening it if necessary; null until xterm.js is loaded and the process is
   * known.
   */
  open(key: string): TerminalSession | null {
    const { client, onState } = this.#options;
    const existing = this.#open.get(key);
    if (existing) return existing;
    const info = client.processes.get(key);
    if (!info || !this.#sessions) return null;
    const session = new this.#sessions.TerminalSession({
      process: client.processes.attach(key),
      info,
      connection: client.connection,
      webgl: this.#webgl,
      mayType: () => mayWrite(client, key, processStore.getState().connection),
      mayReport: () => mayWrite(client, key, client.connection.state),
      isOwn: () => isOwn(info, { people: client.processes.people(), connection: client.connection.state }),
      whyNot: () => whyNot(client, key),
      onState: (state) => onState(key, state),
    });
    this.#open.set(key, session);
    this.#reportController(info);
    if (this.#wanted?.key === key) this.goTo(this.#wanted);
    return session;
  }

  /** Shows a line of a process whose pane is open or about to open; pipe output appears as a log of all streams. */
  goTo(line: WantedLine): void {
    const session = this.#open.get(line.key);
    this.#wanted = session ? null : line;
    if (session?.log) session.log.goTo(line);
    else if (session && 'offset' in line && line.text !== undefined)
      void this.#reveal(session, line.key, { offset: line.offset, text: line.text });
    showAsLog(line.key);
    showAllStreams(line.key);
  }

  async #reveal(session: TerminalSession, key: string, line: OutputLine): Promise<void> {
    const { outputBytes = 0 } = this.#options.client.processes.get(key) ?? {};
    const outcome = await session.marks.reveal(line, outputBytes);
    if (outcome === 'gone') session.notify('That line is no longer on the screen or in the scrollback.');
  }

  close(key: string): void {
    this.#open.get(key)?.dispose();
    this.#controlled.delete(key);
    this.#open.delete(key);
  }

  applySettings(): void {
    for (const session of this.#open.values()) session.applySettings();
  }

  applyTheme(): void {
    for (const session of this.#open.values()) session.applyTheme();
  }
}

type WantedLine = LineLink & {
  /** Text of the line; a terminal needs it to find the line, since it stores rows rather than lines. */
  readonly text?: string;
};

function mayWrite(client: ExecClient, key: string, connection: ShownConnection): boolean {
  const info = client.processes.get(key);
  return mayAct(connection) && info !== undefined && isLive(info);
}

function whyNot(client: ExecClient, key: string): string | null {
  const { state } = client.connection;
  const info = client.processes.get(key);
  if (!info) return 'Not sent: the process is no longer in the list';
  if (!isLive(info)) return 'Not sent: the process has ended';
  // No reason is needed while the page is offline, since the pane shows that already.
  return state.kind === 'online' && state.role === 'observer' ? 'Read-only: you can’t type here' : null;
}
