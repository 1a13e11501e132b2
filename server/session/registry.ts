// Session id → session: who may resume which, one attachment at a time, and the end of the abandoned.
import { ErrorCode } from '../protocol/jsonrpc.ts';
import { internal, invalidRequest, RpcError } from '../rpc/rpc-error.ts';
import type { Process } from '../process/process.ts';
import { Session, type SessionLimits, type SessionOptions, type SessionOwner } from './session.ts';

export interface RegistryLimits extends SessionLimits {
  readonly sessionTtlMs: number;
  readonly sessions: number;
  readonly emptySessionsPerToken: number;
}

export interface RegistryEvents {
  started(process: Process): void;
  notStarted: SessionOptions['notStarted'];
  changed(session: Session): void;
  removed(session: Session): void;
}

export class SessionRegistry {
  readonly #limits: RegistryLimits;
  readonly #events: RegistryEvents;
  readonly #sessions = new Map<string, Session>();
  readonly #expiries = new Map<Session, NodeJS.Timeout>();
  /** The gateway's own: what people start belongs to it and outlives every tab. */
  readonly console: Session;

  constructor(limits: RegistryLimits, events: RegistryEvents) {
    this.#limits = limits;
    this.#events = events;
    this.console = this.#add('console', { tokenId: 'gateway', name: 'gateway' }, true);
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  create(clientName: string, owner: SessionOwner): Session {
    const { sessions } = this.#limits;
    if (this.#sessions.size > sessions) {
      throw internal(
        `there are ${sessions} sessions, which is the limit; resume one, or come back when some are over`,
      );
    }
    return this.#add(clientName, owner, false);
  }

  /** Who is not its owner hears the same as who names one that does not exist. */
  resume(id: string, owner: SessionOwner): Session {
    const session = this.#sessions.get(id);
    if (!session || session.isConsole || session.owner.tokenId !== owner.tokenId) {
      throw invalidRequest(`unknown session id ${id.slice(0, 80)}`);
    }
    if (session.isAttached) {
      throw new RpcError(ErrorCode.stillAttached, `session ${id} is already attached to another connection`);
    }
    clearTimeout(this.#expiries.get(session));
    this.#expiries.delete(session);
    return session;
  }

  /** Its connection is gone; without another it expires. */
  detach(session: Session): void {
    session.detach();
    const { sessionTtlMs } = this.#limits;
    const dueMs = performance.now() + sessionTtlMs;
    this.#after(session, sessionTtlMs, () => {
      // While the gateway stood still it heard nobody: who has come back meanwhile may wait at its door.
      const lateMs = Math.min(performance.now() - dueMs, sessionTtlMs);
      this.#after(session, lateMs, () => this.#expire(session));
    });
    this.#makeRoom(session.owner);
  }

  /** Its connection is gone, and nobody can come back to it. */
  end(session: Session): void {
    session.detach();
    this.#expire(session);
  }

  close(): void {
    for (const timer of this.#expiries.values()) clearTimeout(timer);
    for (const session of this.#sessions.values()) session.close();
  }

  /** Nobody takes all sessions by coming and going: of those that hold nothing the longest detached ends. */
  #makeRoom({ tokenId }: SessionOwner): void {
    const empty = [...this.#expiries.keys()].filter(
      ({ owner, processCount }) => owner.tokenId === tokenId && processCount === 0,
    );
    const [oldest] = empty;
    if (oldest && empty.length > this.#limits.emptySessionsPerToken) this.#expire(oldest);
  }

  #after(session: Session, ms: number, act: () => void): void {
    this.#expiries.set(session, setTimeout(act, ms));
  }

  #expire(session: Session): void {
    clearTimeout(this.#expiries.get(session));
    this.#expiries.delete(session);
    this.#sessions.delete(session.id);
    session.expire();
    this.#events.removed(session);
  }

  #add(clientName: string, owner: SessionOwner, isConsole: boolean): Session {
    const session = new Session({
      clientName,
      owner,
      isConsole,
      limits: this.#limits,
      started: (process) => this.#events.started(process),
      notStarted: (error, tty) => this.#events.notStarted(error, tty),
      changed: (changed) => this.#events.changed(changed),
    });
    this.#sessions.set(session.id, session);
    return session;
  }
}
