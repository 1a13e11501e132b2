// One client's processes, and the connection their events go to, if any: attached ↔ detached → expired.
import { randomBytes, randomUUID } from 'node:crypto';
import { TERMINATE_GRACE_MS } from '../../protocol/console.ts';
import { Frames, type EventFrames } from '../delivery/frames.ts';
import { OwnerFollower } from '../delivery/owner-follower.ts';
import type { ConnectionTurn } from '../delivery/connection-turn.ts';
import { CatchUp } from '../keeper/catch-up.ts';
import type { ChildSpec } from '../host/child.ts';
import { Process, type ProcessLimits } from '../keeper/process.ts';
import type { ProcessControl, ProcessDescription } from '../keeper/process-view.ts';
import { SpawnError } from '../host/spawn.ts';
import { internal, invalidRequest } from '../rpc/rpc-error.ts';

export interface SessionLimits extends ProcessLimits {
  readonly closedTtlMs: number;
  readonly catchUpMs: number;
}

/** Creator of the session; only the same one may resume it. */
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
  /** Called with every process that was started. */
  readonly started: (process: ProcessControl) => void;
  /** True for a process that a person keeps when the session ends. */
  readonly isPinned: (process: ProcessControl) => boolean;
  /** Called with the error of every process that could not be started. */
  readonly notStarted: (error: SpawnError, tty: ChildSpec['tty']) => void;
  /** Called when the session was attached or detached, or its set of processes changed. */
  readonly changed: (session: Session) => void;
}

/** Destination of events while a connection is attached. */
interface Attached {
  readonly turn: ConnectionTurn;
  readonly sinceMs: number;
}

interface Owned {
  readonly process: ProcessControl;
  readonly frames: EventFrames;
  readonly endsWithConnection: boolean;
  follower: OwnerFollower | null;
  catchUp: CatchUp | null;
  forget: NodeJS.Timeout | null;
}

export class Session {
  /** A secret. */
  readonly id = randomUUID();
  /** Public. */
  readonly label: string;
  readonly #options: SessionOptions;
  readonly #owned = new Map<string, Owned>();
  #attached: Attached | null = null;
  #connectedAtMs = Date.now();
  #detachedAtMs: number | null = null;
  #liveCount = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.label = options.isConsole ? 'console' : `s-${randomBytes(6).toString('base64url')}`;
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

  /** Number of its processes that have not ended. */
  get liveCount(): number {
    return this.#liveCount;
  }

  process(processId: string): ProcessControl | undefined {
    return this.#owned.get(processId)?.process;
  }

  processes(): readonly ProcessControl[] {
    return [...this.#owned.values()].map(({ process }) => process);
  }

  /** Everything that is printed from now on is pushed there; what was printed before is kept for its read. */
  attach(turn: ConnectionTurn): void {
    this.#attached = { turn, sinceMs: Date.now() };
    this.#connectedAtMs = this.#attached.sinceMs;
    this.#detachedAtMs = null;
    for (const owned of this.#owned.values()) {
      if (!owned.process.isClosed) owned.catchUp = new CatchUp(owned.process, this.#options.limits.catchUpMs);
      owned.follower = new OwnerFollower(owned.process, turn, owned.frames);
    }
    this.#options.changed(this);
  }

  /** True when nobody comes back for it: all of its processes end with their connection, and none is only half over. */
  get endsWithConnection(): boolean {
    const all = [...this.#owned.values()];
    const isOver = (owned: Owned): boolean => owned.process.isClosed || isEndedByLoss(owned);
    return all.length > 0 && all.every((owned) => owned.endsWithConnection && isOver(owned));
  }

  /** Ends the wait for the owner: processes run on unless they end with the connection, and the windows evict. */
  detach(): void {
    this.#attached = null;
    this.#detachedAtMs = Date.now();
    for (const owned of this.#owned.values()) {
      this.#unfollow(owned);
      if (isEndedByLoss(owned) && !this.#options.isPinned(owned.process))
        void owned.process.killNow('gateway', 'sessionExpired');
    }
    this.#options.changed(this);
  }

  start(
    description: Omit<ProcessDescription, 'session' | 'isConsole'>,
    spec: ChildSpec,
    {
      frames = new Frames({ processId: description.processId }),
      endsWithConnection = false,
    }: { readonly frames?: EventFrames; readonly endsWithConnection?: boolean | undefined } = {},
  ): ProcessControl {
    const { processId } = description;
    if (this.#owned.has(processId)) throw invalidRequest(`process ${processId} already exists`);
    const { isConsole, limits } = this.#options;
    let process: ProcessControl;
    try {
      process = new Process({ ...description, session: this.label, isConsole }, spec, limits);
    } catch (error) {
      if (error instanceof SpawnError) {
        this.#options.notStarted(error, spec.tty);
        throw internal(error.message);
      }
      throw error;
    }
    const owned: Owned = { process, frames, endsWithConnection, follower: null, catchUp: null, forget: null };
    this.#owned.set(processId, owned);
    this.#liveCount += 1;
    if (this.#attached) owned.follower = new OwnerFollower(process, this.#attached.turn, frames);
    process.onChange(() => this.#forgetLater(owned));
    this.#options.started(process);
    this.#options.changed(this);
    return process;
  }

  /** The owner has been given everything of this process up to `seq` by a read. */
  hasRead(processId: string, seq: number): void {
    this.#owned.get(processId)?.catchUp?.hasRead(seq);
  }

  /** The end: its processes, but for pinned ones, are terminated and their ids forgotten; what they did stays known by key. */
  expire(): void {
    for (const owned of this.#owned.values()) {
      if (!this.#options.isPinned(owned.process))
        void owned.process.terminate(TERMINATE_GRACE_MS, 'gateway', { how: 'sessionExpired' });
      this.#forget(owned);
    }
    this.#options.changed(this);
  }

  /** Stops every timer; the processes are ended elsewhere. */
  close(): void {
    for (const owned of this.#owned.values()) this.#forget(owned);
  }

  #unfollow(owned: Owned): void {
    owned.follower?.stop();
    owned.follower = null;
    owned.catchUp?.end();
    owned.catchUp = null;
  }

  /** The id of a closed process becomes free after a while; a new process of that id is another `Owned`. */
  #forgetLater(owned: Owned): void {
    if (!owned.process.isClosed || owned.forget || this.#owned.get(owned.process.processId) !== owned) return;
    this.#liveCount -= 1;
    this.#forgetIn(owned, this.#options.limits.closedTtlMs);
    this.#options.changed(this);
  }

  #forgetIn(owned: Owned, ttlMs: number): void {
    owned.forget = setTimeout(() => {
      // An owner that is slow, or delayed by another process's flood, has yet to be sent the end.
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
    if (owned.process.isClosed) owned.process.forgetWriter();
    if (this.#owned.get(owned.process.processId) === owned) this.#owned.delete(owned.process.processId);
  }
}

/** False once it has exited: somebody else may still want what its background jobs print. */
const isEndedByLoss = ({ process, endsWithConnection }: Owned): boolean =>
  endsWithConnection && process.exit === null;
