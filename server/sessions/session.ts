// One client's processes, and the connection to which their events are sent. States: attached ↔ detached →
// expired.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { TERMINATE_GRACE_MS } from '../../protocol/console-constants.ts';
import { Frames, type EventFrames } from '../delivery/frames.ts';
import { OwnerFollower } from '../delivery/owner-follower.ts';
import type { ConnectionTurn } from '../delivery/connection-turn.ts';
import { CatchUp } from '../keeper/catch-up.ts';
import type { ChildSpec } from '../host/child.ts';
import type { Begun } from '../keeper/begun.ts';
import { Process } from '../keeper/process.ts';
import type { ProcessLimits } from '../keeper/process-limits.ts';
import type { HomeStart, ProcessHome } from '../keeper/process-home.ts';
import type { ProcessControl, ProcessDescription } from '../keeper/process-view.ts';
import { SpawnError } from '../host/spawn.ts';
import { internal, invalidRequest } from '../rpc/rpc-error.ts';
import { holdAll, isEndedByLoss, isOver, isStillOwed, type Owned } from './owned.ts';

export interface SessionLimits extends ProcessLimits {
  readonly closedTtlMs: number;
  readonly catchUpMs: number;
}

/** Time after an exit for which every client still waits for the end of the output. */
const OUTLIVED_MS = 50;

/** Creator of the session; only the same token may resume it. */
export interface SessionOwner {
  readonly tokenId: string;
  readonly name: string;
  readonly role: string;
}

export interface SessionOptions {
  readonly clientName: string;
  readonly owner: SessionOwner;
  readonly isConsole: boolean;
  readonly limits: SessionLimits;
  /** Keeper that holds the processes; null means the gateway itself. */
  readonly home: ProcessHome | null;
  /** Identity of a session of an earlier gateway; null for a new one. */
  readonly past?: { readonly idHash: string; readonly label: string } | null;
  readonly started: (process: ProcessControl) => void;
  readonly isPinned: (process: ProcessControl) => boolean;
  /** Called with the error of every process that could not be spawned. */
  readonly notStarted: (error: SpawnError, tty: ChildSpec['tty']) => void;
  /** Called when the session was attached, detached or ended, or a process was started, closed, lost or removed. */
  readonly changed: (session: Session) => void;
}

/** Destination of events while a connection is attached. */
interface Attached {
  readonly turn: ConnectionTurn;
  readonly sinceMs: number;
}

export const hashOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('hex');

export class Session {
  /** Public label, which may be shown to other clients. */
  readonly label: string;
  #idHash: string;
  readonly #options: SessionOptions;
  /** Null for a session of an earlier gateway until it is resumed or gets a new id. */
  #id: string | null;
  readonly #owned = new Map<string, Owned>();
  /** Ids of processes that are starting asynchronously, and whether each ends with its connection. */
  readonly #starting = new Map<string, boolean>();
  #isOver = false;
  #attached: Attached | null = null;
  #connectedAtMs = Date.now();
  #detachedAtMs: number | null = null;
  #liveCount = 0;

  constructor(options: SessionOptions) {
    const { past } = options;
    this.#options = options;
    this.#id = past ? null : randomUUID();
    this.#idHash = past?.idHash ?? hashOf(this.#id ?? '');
    this.label = past
      ? past.label
      : options.isConsole
        ? 'console'
        : `s-${randomBytes(6).toString('base64url')}`;
  }

  /** Secret id; throws while it is unknown, as for a session of an earlier gateway before it is resumed. */
  get id(): string {
    if (this.#id === null) throw new Error('invariant violation: the id of a session that was not resumed');
    return this.#id;
  }

  get idHash(): string {
    return this.#idHash;
  }

  renewId(): string {
    this.#id = randomUUID();
    this.#idHash = hashOf(this.#id);
    return this.#id;
  }

  /** Sets the id that the client presented, since only its hash was stored. */
  resumedAs(id: string): void {
    this.#id = id;
  }

  get clientName(): string {
    return this.#options.clientName;
  }
  get owner(): SessionOwner {
    return this.#options.owner;
  }
  get isConsole(): boolean {
    return this.#options.isConsole;
  }
  get isAttached(): boolean {
    return this.isConsole || this.#attached !== null;
  }
  get connectedAtMs(): number {
    return this.#connectedAtMs;
  }
  get detachedAtMs(): number | null {
    return this.#detachedAtMs;
  }
  get processCount(): number {
    return this.#owned.size;
  }

  /** Number of processes that are neither closed nor lost, including those that are starting. */
  get liveCount(): number {
    return this.#liveCount + this.#starting.size;
  }

  get startingCount(): number {
    return this.#starting.size;
  }

  process(processId: string): ProcessControl | undefined {
    return this.#owned.get(processId)?.process;
  }

  processes(): readonly ProcessControl[] {
    return [...this.#owned.values()].map(({ process }) => process);
  }

  /** Attaches a connection: pushes new output to it, and holds retained output while the connection reads it. */
  attach(turn: ConnectionTurn): void {
    this.#attached = { turn, sinceMs: Date.now() };
    this.#connectedAtMs = this.#attached.sinceMs;
    this.#detachedAtMs = null;
    for (const owned of this.#owned.values()) {
      owned.catchUp = new CatchUp(owned.process, this.#options.limits.catchUpMs);
      owned.follower = new OwnerFollower(owned.process, turn, owned.frames);
      this.#options.home?.setOwned(owned.process.key, true);
      owned.untilResumed?.close();
      owned.untilResumed = null;
    }
    this.#options.changed(this);
  }

  /** True when resuming the session would be useless, because all of its processes end with their connection. */
  get endsWithConnection(): boolean {
    const isUseless = (owned: Owned): boolean =>
      isEndedByLoss(owned) || (owned.endsWithConnection && isOver(owned.process) && !owned.hasOutlived);
    const all = [...this.#starting.values(), ...[...this.#owned.values()].map(isUseless)];
    return all.length > 0 && !all.includes(false);
  }

  /** True while the owner has not caught up with the output of the processes of an earlier gateway. */
  get isOwed(): boolean {
    return [...this.#owned.values()].some(isStillOwed);
  }

  /**
   * Detaches the owner. Processes continue, unless they end with the connection and are not pinned. Output may be
   * evicted again, except what an earlier gateway owed.
   */
  detach(): void {
    this.#attached = null;
    this.#detachedAtMs = Date.now();
    for (const owned of this.#owned.values()) {
      owned.isOwed = isStillOwed(owned);
      const untilResumed = owned.isOwed ? holdAll(owned.process) : null;
      this.#unfollow(owned);
      owned.untilResumed = untilResumed;
      this.#connectionLost(owned);
    }
    this.#options.changed(this);
  }

  #connectionLost(owned: Owned): void {
    if (!owned.isOwed) this.#options.home?.setOwned(owned.process.key, false);
    if (isEndedByLoss(owned) && !this.#options.isPinned(owned.process))
      void owned.process.killNow('gateway', 'sessionExpired');
  }

  /** Starts a process; returns a promise when processes run in a keeper. */
  start(
    description: Omit<ProcessDescription, 'session' | 'isConsole'>,
    spec: ChildSpec,
    {
      frames = new Frames({ processId: description.processId }),
      endsWithConnection = false,
    }: { readonly frames?: EventFrames; readonly endsWithConnection?: boolean | undefined } = {},
  ): ProcessControl | Promise<ProcessControl> {
    const { processId } = description;
    if (this.#owned.has(processId) || this.#starting.has(processId))
      throw invalidRequest(`process ${processId} already exists`);
    const { isConsole, limits, home } = this.#options;
    const clientName = isConsole ? null : this.clientName;
    const full: ProcessDescription = { ...description, session: this.label, isConsole, clientName };
    const make = (begun: Begun | null): ProcessControl => {
      const process = new Process(full, spec, limits, begun);
      this.#own(process, frames, endsWithConnection);
      this.#options.started(process);
      this.#options.changed(this);
      return process;
    };
    const failed = (error: unknown): never => {
      if (!(error instanceof SpawnError)) throw error;
      this.#options.notStarted(error, spec.tty);
      throw internal(error.message);
    };
    if (home) return this.#startIn(home, { description: full, spec, endsWithConnection }, make).catch(failed);
    try {
      return make(null);
    } catch (error) {
      return failed(error);
    }
  }

  async #startIn(
    home: ProcessHome,
    asked: HomeStart,
    make: (begun: Begun | null) => ProcessControl,
  ): Promise<ProcessControl> {
    const { processId } = asked.description;
    this.#starting.set(processId, asked.endsWithConnection);
    try {
      const begun = await home.start(asked);
      this.#starting.delete(processId);
      const process = make(begun);
      // The session or its connection may have ended while the process was starting.
      const owned = this.#owned.get(processId);
      if (this.#isOver) void process.killNow('gateway', 'sessionExpired');
      else if (owned && !this.isAttached) this.#connectionLost(owned);
      return process;
    } finally {
      this.#starting.delete(processId);
    }
  }

  /** Adopts a process that an earlier gateway started in this session, after its past events were replayed. */
  adopt(process: ProcessControl, endsWithConnection: boolean, wasAttached: boolean): void {
    const owned = this.#own(process, new Frames({ processId: process.processId }), endsWithConnection);
    owned.isOwed = wasAttached;
    if (wasAttached) owned.untilResumed = holdAll(process);
    this.#connectionLost(owned);
    this.#forgetLater(owned);
  }

  #own(process: ProcessControl, frames: EventFrames, endsWithConnection: boolean): Owned {
    const owned: Owned = {
      process,
      frames,
      endsWithConnection,
      hasOutlived: false,
      follower: null,
      catchUp: null,
      isOwed: false,
      untilResumed: null,
      forget: null,
    };
    this.#owned.set(process.processId, owned);
    this.#liveCount += 1;
    if (this.#attached) owned.follower = new OwnerFollower(process, this.#attached.turn, frames);
    process.onChange(() => this.#forgetLater(owned));
    return owned;
  }

  /** Notes that the owner has read everything of this process up to `seq`. */
  hasRead(processId: string, seq: number): void {
    this.#owned.get(processId)?.catchUp?.hasRead(seq);
  }

  /**
   * Ends the session. Its processes are terminated, except pinned ones, and their ids become free; their output remains
   * available by key. If a process that ends with its connection has already closed, its background jobs keep running,
   * like those of a shell that has exited.
   */
  expire(): void {
    this.#isOver = true;
    for (const owned of this.#owned.values()) {
      const leavesJobs = owned.endsWithConnection && isOver(owned.process);
      if (!leavesJobs && !this.#options.isPinned(owned.process))
        void owned.process.terminate(TERMINATE_GRACE_MS, 'gateway', { how: 'sessionExpired' });
      this.#options.home?.setOwned(owned.process.key, false);
      this.#forget(owned);
    }
    this.#options.changed(this);
  }

  /** Stops all timers and removes all processes from the session; they are ended elsewhere. */
  close(): void {
    for (const owned of this.#owned.values()) this.#forget(owned);
  }

  #unfollow(owned: Owned): void {
    owned.follower?.stop();
    owned.follower = null;
    owned.catchUp?.end();
    owned.catchUp = null;
    owned.untilResumed?.close();
    owned.untilResumed = null;
  }

  /** Frees the id of a closed or lost process after `closedTtlMs`, or later while its owner lacks events. */
  #forgetLater(owned: Owned): void {
    if (!isOver(owned.process) || owned.forget || this.#owned.get(owned.process.processId) !== owned) return;
    this.#liveCount -= 1;
    owned.hasOutlived = Date.now() - (owned.process.exitedAtMs ?? Infinity) > OUTLIVED_MS;
    this.#forgetIn(owned, this.#options.limits.closedTtlMs);
    this.#options.changed(this);
  }

  #forgetIn(owned: Owned, ttlMs: number): void {
    owned.forget = setTimeout(() => {
      // The owner is slow or delayed by another process's flood, and has not received the end yet.
      if (owned.follower?.hasMore) {
        this.#forgetIn(owned, ttlMs);
        return;
      }
      this.#forget(owned);
      this.#options.changed(this);
    }, ttlMs);
  }

  #forget(owned: Owned): void {
    this.#unfollow(owned);
    if (owned.forget) clearTimeout(owned.forget);
    if (isOver(owned.process)) owned.process.forgetWriter();
    if (this.#owned.get(owned.process.processId) === owned) this.#owned.delete(owned.process.processId);
  }
}
