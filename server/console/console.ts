// The console: all processes, sessions and watchers of the gateway.
import type { Person } from '../../protocol/activity.ts';
import type { ProcessInfo, SessionInfo, WatchResult } from '../../protocol/console.ts';
import { WatchersTurn, type WatchersLimits } from '../delivery/watchers-turn.ts';
import type { Health } from '../ops/health.ts';
import { closedLine, defectLine, exitedLine, notStartedLine, sessionEndedLine } from '../ops/lines.ts';
import type { Log } from '../ops/log.ts';
import { Tally } from '../ops/tally.ts';
import type { ProcessControl, ProcessView } from '../keeper/process-view.ts';
import { StartTrouble, type StartTroubleLimits } from '../keeper/start-trouble.ts';
import { endAll } from '../keeper/when-terminated.ts';
import type { Taker } from '../limits/budget.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { Peer } from '../sessions/peer.ts';
import { Search, type SearchLimits } from '../screens/search.ts';
import { Screens, type SnapshotLimits } from '../screens/screens.ts';
import { SessionRegistry, type RegistryLimits } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import { Tiles, type TilesLimits } from '../screens/tiles.ts';
import { Usage, type UsageLimits } from '../monitor/usage.ts';
import { Waiting, type WaitingLimits } from '../monitor/waiting.ts';
import { ActivityLog, type ActivityLimits } from './activity-log.ts';
import { approvalRow, isRow } from './approval-row.ts';
import { Changes, type ChangesLimits } from './changes.ts';
import type { ConsoleParts, HeldRequests, Replay } from './console-parts.ts';
import { Desk, type DeskLimits } from './desk.ts';
import { Directory, unknownKey, type DirectoryLimits } from './directory.ts';
import { printedInfo, processInfo, sessionInfo } from './process-info.ts';
import { Pins } from './pins.ts';
import { Restarts, type RestartLimits } from './restarts.ts';
import { StartRoom, type StartRoomLimits } from './start-room.ts';

export type ConsoleLimits = SnapshotLimits &
  UsageLimits &
  SearchLimits &
  TilesLimits &
  WaitingLimits &
  ActivityLimits &
  RestartLimits &
  RegistryLimits &
  WatchersLimits &
  ChangesLimits &
  DirectoryLimits &
  StartTroubleLimits &
  DeskLimits &
  StartRoomLimits;

/** Maximum number of watchers of a process that are listed; further ones are only counted. */
const MOST_NAMED = 20;

export class Console {
  readonly sessions: SessionRegistry;
  readonly directory: Directory;
  readonly changes: Changes<ProcessView, Session>;
  readonly screens: Screens;
  readonly usage: Usage;
  readonly search: Search;
  readonly tiles: Tiles;
  readonly waiting: Waiting;
  readonly activity: ActivityLog;
  readonly restarts: Restarts;
  readonly tally = new Tally();
  readonly pins: Pins;
  readonly #limits: ConsoleLimits;
  readonly #health: Health;
  readonly #log: Log;
  readonly #startTrouble: StartTrouble;
  readonly #room: StartRoom;
  readonly #approvals: () => HeldRequests | null;
  readonly #history: ConsoleParts['history'];
  readonly #watchersTurn: WatchersTurn;
  readonly #desks = new Map<Peer, Desk>();
  #isEnding = false;

  constructor(limits: ConsoleLimits, parts: ConsoleParts) {
    const { health, log, descriptors, approvals, home, notes, forgotten } = parts;
    const reportDefect = (what: string, error: unknown): void => log(...defectLine(what, error));
    this.pins = new Pins((process, by) => {
      home?.setPinned(process.key, by);
      this.#changed(process, 'soon');
    });
    this.#log = log;
    this.#history = parts.history;
    this.#approvals = approvals;
    this.#room = new StartRoom(
      limits,
      descriptors,
      () => this.directory.liveCount + this.sessions.startingCount,
    );
    this.#limits = limits;
    this.#health = health;
    this.#startTrouble = new StartTrouble(limits, home, (reason) => health.report('start', reason));
    this.screens = new Screens(limits, (error) => reportDefect('the screens', error));
    this.restarts = new Restarts(limits);
    this.usage = new Usage(limits, (error) => reportDefect('the measurement of CPU and memory', error));
    this.search = new Search(limits);
    this.tiles = new Tiles(limits, this.screens);
    this.waiting = new Waiting(
      limits,
      (process) => {
        this.#changed(process, 'soon');
        if (this.waiting.isWaiting(process)) this.activity.add(process.key, 'waitsForInput');
      },
      (error) => reportDefect('the check for processes waiting for input', error),
    );
    this.activity = new ActivityLog(limits, (change) => this.changes.activityAdded(change));
    this.#watchersTurn = new WatchersTurn(limits);
    this.changes = new Changes(limits, {
      describeProcess: (process) => this.describe(process),
      describePrinted: printedInfo,
      describeSession: (session) => sessionInfo(session, limits),
      describeGateway: () => health.state,
      describePeople: () => this.#people(),
      activitySince: (change) => this.activity.since(change),
      describeApprovalSettings: () => approvals()?.settings ?? null,
    });
    health.onChange(() => this.changes.gatewayChanged());
    this.directory = new Directory(limits, (process) => {
      this.tally.forgottenOutputBytes += process.log.totalBytes;
      this.tally.forgottenInputBytes += process.inputBytes;
      this.screens.forget(process);
      this.activity.forget(process.key);
      this.restarts.forget(process.key);
      this.pins.forget(process.key);
      for (const desk of this.#desks.values()) desk.forget(process);
      this.changes.processRemoved(process);
      forgotten(process.key);
    });
    this.sessions = new SessionRegistry(
      limits,
      {
        started: (process) => {
          this.#started(process);
          parts.started?.(process.description.startedBy);
        },
        isPinned: ({ key }) => this.pins.has(key),
        notStarted: (error, tty) => {
          this.#startTrouble.failed(error, tty);
          this.tally.notStarted[error.starved ? 'starved' : 'other'] += 1;
          log(...notStartedLine(error));
        },
        changed: (session) => this.changes.sessionChanged(session),
        removed: (session) => {
          this.changes.sessionRemoved(session);
          log(...sessionEndedLine(session));
          for (const process of this.directory.all()) process.forgetWriter(session.label);
        },
      },
      { home, notes },
    );
  }

  /** Returns the desk of this connection, which is created on first use. */
  desk(peer: Peer): Desk {
    let desk = this.#desks.get(peer);
    if (desk) return desk;
    desk = new Desk({
      peer,
      watchersTurn: this.#watchersTurn,
      find: (key) => this.find(key),
      limits: this.#limits,
      changed: (process) => this.#changed(process, 'soon'),
      watchesOrNot: () => this.changes.peopleChanged(),
    });
    this.#desks.set(peer, desk);
    peer.connection.onEnding(() => this.#desks.delete(peer));
    return desk;
  }

  /** Returns a process of this gateway, or an open process of an earlier gateway. */
  find(key: string): ProcessControl | undefined {
    return this.directory.get(key) ?? this.#history?.get(key);
  }

  process(key: string): ProcessControl {
    const process = this.find(key);
    if (!process) throw unknownKey(key);
    return process;
  }

  /** Throws when this session cannot start another process now. */
  checkRoom(session: Session, starter: Taker): void {
    if (this.#isEnding) throw internal('the gateway is stopping; nothing was started');
    this.#room.check(session, starter);
  }

  /** Returns the watching connection with this label, if any. */
  watcher(label: string): Peer | undefined {
    return [...this.#desks].find(([peer, desk]) => peer.label === label && desk.isWatching)?.[0];
  }

  /** True while a person whose role may decide about agents' requests is watching. */
  get isWatchedByOperator(): boolean {
    return this.#people().some(({ role }) => role === 'operator' || role === 'admin');
  }

  /** Transfers control to this peer, and releases the hold of the previous controller. */
  takeControl(process: ProcessControl, peer: Peer): void {
    this.desk(peer).take(process);
    for (const desk of this.#desks.values()) desk.controlMoved(process);
  }

  /** Returns the current state of the console, and the activity since a change (by default, none). */
  snapshot(sinceChange = this.activity.change): WatchResult {
    const sessions: SessionInfo[] = this.sessions.all().map((each) => sessionInfo(each, this.#limits));
    const held = this.#approvals();
    const rows = held?.waiting.filter(isRow).map(approvalRow) ?? [];
    const processes: ProcessInfo[] = [
      ...this.directory.all().map((process) => this.describe(process)),
      ...rows,
    ];
    const activity = this.activity.since(sinceChange);
    return {
      gateway: this.#health.state,
      people: this.#people(),
      activity,
      sessions,
      processes,
      ...(held && { approvals: held.waiting, approvalSettings: held.settings }),
    };
  }

  figures() {
    const [all, live, desks] = [this.directory.all(), this.directory.liveCount, [...this.#desks.values()]];
    // The console's own session, with the processes of people, has no connection, so it is not counted.
    const sessions = this.sessions.all().filter((session) => !session.isConsole);
    const attached = sessions.filter((session) => session.isAttached).length;
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const waiting = this.#approvals()?.waiting ?? [];
    return {
      approvals: {
        waiting: waiting.length,
        oldestMs: waiting[0] ? Date.now() - waiting[0].createdAtMs : 0,
      },
      sessions: { attached, detached: sessions.length - attached },
      processes: { live, finished: all.length - live },
      outputBytes: this.tally.forgottenOutputBytes + sum(all.map(({ log }) => log.totalBytes)),
      inputBytes: this.tally.forgottenInputBytes + sum(all.map((process) => process.inputBytes)),
      watchers: {
        console: desks.filter((desk) => desk.isWatching).length,
        processes: sum(desks.map((desk) => desk.attachmentCount)),
        missedBytes: this.#watchersTurn.missedBytes,
      },
    };
  }

  /**
   * Terminates all processes with their OS sessions; resolves when all have ended, or at the latest one second
   * after SIGKILL.
   */
  async endProcesses(graceMs: number): Promise<void> {
    this.#isEnding = true;
    // Ended processes are included, because their children in the same group would outlive the gateway.
    await endAll(this.directory.all(), graceMs);
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
    this.#startTrouble.stop();
  }

  /** Takes over a process of an earlier gateway. */
  async adopt(process: ProcessControl, replay: Replay): Promise<void> {
    this.directory.add(process);
    this.screens.follow(process);
    this.#history?.record(process, () => this.describe(process), true);
    await replay(async () => this.#history?.recorded(process));
    this.waiting.follow(process);
    this.#follow(process);
    this.#changed(process, 'soon');
  }

  #started(process: ProcessControl): void {
    this.directory.add(process);
    this.tally.started[process.spec.tty ? 'tty' : 'pipes'] += 1;
    this.#history?.record(process, () => this.describe(process));
    this.screens.follow(process);
    this.waiting.follow(process);
    this.#changed(process, 'soon');
    this.activity.add(process.key, 'started');
    this.#follow(process);
  }

  #follow(process: ProcessControl): void {
    const { starter } = process.description;
    const giveBack = this.#room.take(starter);
    process.onAttention((text) => this.activity.addAttention(process.key, text));
    let [hasExited, wasClosed] = [process.exit !== null, false];
    const isOver = (): boolean => process.isClosed || process.isLost;
    const over = (): void => {
      giveBack();
      this.directory.finished(process);
    };
    if (isOver()) over();
    process.onChange((urgency) => {
      this.#changed(process, urgency);
      if (process.exit && !hasExited) {
        this.activity.add(process.key, 'exited');
        this.tally.ended(process.exit.code, process.exit.signal);
        this.#log(...exitedLine(process));
      }
      hasExited = process.exit !== null;
      if (!isOver()) return;
      over();
      if (!wasClosed) this.#log(...closedLine(process));
      wasClosed = true;
    });
  }

  /** Reports a change, unless the process is forgotten: its removal must be the last message about it. */
  #changed(process: ProcessView, urgency: 'soon' | 'later'): void {
    if (this.directory.has(process)) this.changes.processChanged(process, urgency);
  }

  describe(process: ProcessView): ProcessInfo {
    const watchedBy = [...this.#desks].flatMap(([peer, desk]) =>
      desk.isAttached(process.key) ? peer.label : [],
    );
    return processInfo(process, {
      pinnedBy: this.pins.of(process.key) ?? null,
      watchers: watchedBy.length,
      watchedBy: watchedBy.slice(0, MOST_NAMED),
      restartable: this.restarts.has(process.key),
      waitsForInput: this.waiting.isWaiting(process),
    });
  }

  #people(): readonly Person[] {
    return [...this.#desks].flatMap(([peer, desk]) =>
      desk.watchesSinceMs === null
        ? []
        : {
            connection: peer.label,
            token: peer.identity.tokenId,
            name: peer.identity.name,
            role: peer.identity.role,
            sinceMs: desk.watchesSinceMs,
          },
    );
  }
}
