// The console's half of the gateway: all processes and sessions, and everyone who looks at them.
import type { ProcessInfo, SessionInfo, WatchResult } from '../protocol/console.ts';
import { ErrorCode } from '../protocol/jsonrpc.ts';
import type { AttachmentLimits } from '../delivery/attachment.ts';
import { WatchersTurn, type WatchersLimits } from '../delivery/watchers-turn.ts';
import type { Health } from '../health/health.ts';
import type { Process } from '../process/process.ts';
import { internal, RpcError } from '../rpc/rpc-error.ts';
import type { Peer } from '../session/peer.ts';
import { Search, type SearchLimits } from '../search/search.ts';
import { Screens, type SnapshotLimits } from '../snapshot/screens.ts';
import { SessionRegistry, type RegistryLimits } from '../session/registry.ts';
import type { Session } from '../session/session.ts';
import { Tiles, type TilesLimits } from '../tiles/tiles.ts';
import { Usage, type UsageLimits } from '../usage/usage.ts';
import { Waiting, type WaitingLimits } from '../waiting/waiting.ts';
import { Changes, type ChangesLimits } from './changes.ts';
import { Desk } from './desk.ts';
import { Directory, type DirectoryLimits } from './directory.ts';
import { processInfo, sessionInfo } from './process-info.ts';

export type ConsoleLimits = SnapshotLimits &
  UsageLimits &
  SearchLimits &
  TilesLimits &
  WaitingLimits &
  RegistryLimits &
  AttachmentLimits &
  WatchersLimits &
  ChangesLimits &
  DirectoryLimits & { readonly processes: number };

/** What SIGKILL may take, in ms, before a process that cannot even die is left behind. */
const KILL_MS = 1000;

export class Console {
  readonly sessions: SessionRegistry;
  readonly directory: Directory;
  readonly changes: Changes<Process, Session>;
  readonly screens: Screens;
  readonly usage: Usage;
  readonly search: Search;
  readonly tiles: Tiles;
  readonly waiting: Waiting;
  readonly #limits: ConsoleLimits;
  readonly #health: Health;
  readonly #watchersTurn: WatchersTurn;
  readonly #desks = new Map<Peer, Desk>();
  #isEnding = false;

  constructor(limits: ConsoleLimits, health: Health, reportDefect: (what: string, error: unknown) => void) {
    this.#limits = limits;
    this.#health = health;
    this.screens = new Screens(limits, (error) => reportDefect('the screens', error));
    this.usage = new Usage(limits, (error) => reportDefect('the look at what processes use', error));
    this.search = new Search(limits);
    this.tiles = new Tiles(limits, this.screens);
    this.waiting = new Waiting(
      limits,
      (process) => this.changes.processChanged(process, 'soon'),
      (error) => reportDefect('the look at what waits for input', error),
    );
    this.#watchersTurn = new WatchersTurn(limits);
    this.changes = new Changes(limits, {
      describeProcess: (process) => this.#describe(process),
      describeSession: sessionInfo,
      describeGateway: () => health.state,
    });
    health.onChange(() => this.changes.gatewayChanged());
    this.directory = new Directory(limits, (process) => {
      this.screens.forget(process);
      this.changes.processRemoved(process);
    });
    this.sessions = new SessionRegistry(limits, {
      started: (process) => this.#started(process),
      changed: (session) => this.changes.sessionChanged(session),
      removed: (session) => {
        this.changes.sessionRemoved(session);
        for (const process of this.directory.all()) process.forgetWriter(session.label);
      },
    });
  }

  /** What this connection has at the console; made when it first asks for anything by key. */
  desk(peer: Peer): Desk {
    let desk = this.#desks.get(peer);
    if (desk) return desk;
    desk = new Desk({
      peer,
      watchersTurn: this.#watchersTurn,
      limits: this.#limits,
      changed: (process) => this.changes.processChanged(process, 'soon'),
    });
    this.#desks.set(peer, desk);
    peer.connection.closing.addEventListener('abort', () => this.#desks.delete(peer), { once: true });
    return desk;
  }

  process(key: string): Process {
    const process = this.directory.get(key);
    if (!process) throw new RpcError(ErrorCode.unknownKey, `unknown process key ${key}`);
    return process;
  }

  /** Throws when no process may be started any more, or for now. */
  checkRoom(): void {
    if (this.#isEnding) throw internal('the gateway is stopping; nothing was started');
    const { processes } = this.#limits;
    if (this.directory.liveCount < processes) return;
    throw internal(`${processes} processes are running, which is the limit; nothing was started`);
  }

  /** Gives control to this peer; whoever had it is waited for no more. */
  takeControl(process: Process, peer: Peer): void {
    this.desk(peer).take(process);
    for (const desk of this.#desks.values()) desk.controlMoved(process);
  }

  snapshot(): WatchResult {
    const sessions: SessionInfo[] = this.sessions.all().map(sessionInfo);
    const processes: ProcessInfo[] = this.directory.all().map((process) => this.#describe(process));
    return { gateway: this.#health.state, sessions, processes };
  }

  /** Terminates every process, whole OS sessions; resolves when nothing is left, or the grace and what follows it are over. */
  async endProcesses(graceMs: number): Promise<void> {
    this.#isEnding = true;
    // Also of those that have ended: what they left behind in their group would outlive the gateway.
    const ending = this.directory
      .all()
      .filter((process) => process.terminate(graceMs, 'gateway', { how: 'gatewayStopped' }).running);
    await Promise.all(ending.map((process) => process.whenTerminated(graceMs + KILL_MS)));
  }

  close(): void {
    this.#watchersTurn.close();
    this.changes.close();
    this.sessions.close();
    this.tiles.close();
    this.screens.close();
    this.usage.close();
    this.waiting.close();
    this.search.close();
  }

  #started(process: Process): void {
    this.directory.add(process);
    this.screens.follow(process);
    this.waiting.follow(process);
    this.changes.processChanged(process, 'soon');
    process.onChange((urgency) => {
      this.changes.processChanged(process, urgency);
      if (process.isClosed) this.directory.finished(process);
    });
  }

  #describe(process: Process): ProcessInfo {
    let watchers = 0;
    for (const desk of this.#desks.values()) if (desk.isAttached(process)) watchers += 1;
    return processInfo(process, { watchers, waitsForInput: this.waiting.isWaiting(process) });
  }
}
