// Registry of sessions by id. It controls who may resume each session, allows one attachment at a time, and
// ends expired sessions.
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { headOf } from '../../text/cut.ts';
import { internal, invalidRequest, RpcError } from '../rpc/rpc-error.ts';
import { afterPatience } from '../host/patience.ts';
import type { ProcessHome } from '../keeper/process-home.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { Budget, divided } from '../limits/budget.ts';
import { hashOf, Session, type SessionLimits, type SessionOptions, type SessionOwner } from './session.ts';

export interface RegistryLimits extends SessionLimits {
  readonly sessionTtlMs: number;
  readonly sessions: number;
  readonly emptySessionsPerToken: number;
}

/** Facts of a session for a later gateway. */
export interface PastSession {
  readonly idHash: string;
  readonly label: string;
  readonly clientName: string;
  readonly owner: SessionOwner;
  /**
   * False when the session had no connection, and no output from an earlier gateway's time was undelivered.
   */
  readonly isAttached: boolean;
}

/** Records sessions for a later gateway. */
export interface SessionNotes {
  begun(session: PastSession): void;
  attached(label: string, now: boolean): void;
  ended(label: string): void;
}

export interface RegistryEvents {
  started(process: ProcessControl): void;
  isPinned: SessionOptions['isPinned'];
  notStarted: SessionOptions['notStarted'];
  changed(session: Session): void;
  removed(session: Session): void;
}

export class SessionRegistry {
  readonly #limits: RegistryLimits;
  readonly #events: RegistryEvents;
  readonly #home: ProcessHome | null;
  readonly #notes: SessionNotes | null;
  readonly #sessions = new Map<string, Session>();
  /** Detached sessions, the longest detached first, with the functions that cancel their expiry. */
  readonly #expiries = new Map<Session, () => void>();
  readonly #room: Budget;
  readonly #givesBack = new Map<Session, () => void>();
  /** Session of the gateway itself: processes started by people belong to it and outlive every tab. */
  readonly console: Session;

  constructor(
    limits: RegistryLimits,
    events: RegistryEvents,
    { home, notes }: { readonly home: ProcessHome | null; readonly notes: SessionNotes | null },
  ) {
    this.#limits = limits;
    this.#home = home;
    this.#notes = notes;
    this.#events = events;
    this.#room = new Budget('sessions', divided(limits.sessions));
    this.console = this.#add(
      'console',
      { tokenId: 'gateway', name: 'gateway', role: 'admin' },
      {
        isConsole: true,
      },
    );
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  get startingCount(): number {
    return this.all().reduce((sum, each) => sum + each.startingCount, 0);
  }

  create(clientName: string, owner: SessionOwner): Session {
    const { sessions } = this.#limits;
    if (this.#sessions.size > sessions) {
      throw internal(
        `there are ${sessions} sessions, which is the limit; resume one, or try again when one has ended`,
      );
    }
    const why = this.#room.whyNot(owner);
    if (why !== null) throw internal(`no session can be created: ${why}`);
    const session = this.#add(clientName, owner, { isConsole: false });
    this.#givesBack.set(session, this.#room.take(owner));
    const { tokenId, name, role } = owner;
    this.#notes?.begun({
      idHash: session.idHash,
      label: session.label,
      clientName,
      owner: { tokenId, name, role },
      isAttached: true,
    });
    return session;
  }

  /** Restores a session of an earlier gateway, which can be resumed from now on. */
  restore({ clientName, owner, idHash, label }: PastSession): Session {
    const session = this.#add(clientName, owner, { isConsole: false, past: { idHash, label } });
    this.#givesBack.set(session, this.#room.take(owner));
    // Restoring makes no room, since the processes of a session that seems empty are adopted later.
    this.#detach(session);
    return session;
  }

  /** Resumes a session; throws if it is attached. Another owner's session and a missing one yield the same error. */
  resume(id: string, owner: SessionOwner): Session {
    const session = this.#sessions.get(hashOf(id));
    if (!session || session.isConsole || session.owner.tokenId !== owner.tokenId) {
      throw invalidRequest(`unknown session id ${headOf(id, 80)}`);
    }
    if (session.isAttached) {
      throw new RpcError(ErrorCode.stillAttached, `session ${id} is already attached to another connection`);
    }
    this.#endExpiry(session);
    session.resumedAs(id);
    this.#notes?.attached(session.label, true);
    return session;
  }

  /**
   * Returns the name by which a session's client introduced itself; null for the console's session, and for one that
   * has ended.
   */
  clientNameOf(label: string): string | null {
    return this.all().find((each) => each.label === label && !each.isConsole)?.clientName ?? null;
  }

  /**
   * Assigns and returns a new id for a session of an earlier gateway, so that a client within this gateway can resume
   * it. Returns null when the session has ended or is attached.
   */
  reissue(label: string): string | null {
    const session = this.all().find((each) => each.label === label);
    if (!session || session.isAttached) return null;
    this.#sessions.delete(session.idHash);
    const id = session.renewId();
    this.#sessions.set(session.idHash, session);
    const { clientName, idHash, owner } = session;
    this.#notes?.begun({ idHash, label, clientName, owner, isAttached: session.isOwed });
    return id;
  }

  /** Detaches a session whose connection was lost; unless it is resumed, it expires after `sessionTtlMs`. */
  detach(session: Session): void {
    // A session that is still owed output from an earlier gateway stays noted as attached, so that the next gateway
    // retains that output.
    if (!session.isOwed) this.#notes?.attached(session.label, false);
    this.#detach(session);
    this.#makeRoom(session.owner);
  }

  #detach(session: Session): void {
    session.detach();
    // A client that returned while the gateway stalled may be waiting to be accepted, so expiry does not follow a stall
    // immediately.
    const expiry = afterPatience(this.#limits.sessionTtlMs, () => this.#expire(session));
    this.#expiries.set(session, expiry);
  }

  /** Ends a session whose connection was lost and that cannot be resumed. */
  end(session: Session): void {
    session.detach();
    this.#expire(session);
  }

  close(): void {
    for (const endExpiry of this.#expiries.values()) endExpiry();
    for (const session of this.#sessions.values()) session.close();
  }

  /**
   * Limits a token's detached sessions without processes by ending the longest detached one, so that no token
   * can use up all sessions by reconnecting.
   */
  #makeRoom({ tokenId }: SessionOwner): void {
    const empty = [...this.#expiries.keys()].filter(
      ({ owner, processCount }) => owner.tokenId === tokenId && processCount === 0,
    );
    const [oldest] = empty;
    if (oldest && empty.length > this.#limits.emptySessionsPerToken) this.#expire(oldest);
  }

  #endExpiry(session: Session): void {
    this.#expiries.get(session)?.();
    this.#expiries.delete(session);
  }

  #expire(session: Session): void {
    this.#endExpiry(session);
    this.#sessions.delete(session.idHash);
    this.#notes?.ended(session.label);
    this.#givesBack.get(session)?.();
    this.#givesBack.delete(session);
    session.expire();
    this.#events.removed(session);
  }

  #add(clientName: string, owner: SessionOwner, kind: Pick<SessionOptions, 'isConsole' | 'past'>): Session {
    const session = new Session({
      clientName,
      owner,
      ...kind,
      limits: this.#limits,
      home: this.#home,
      started: (process) => this.#events.started(process),
      isPinned: (process) => this.#events.isPinned(process),
      notStarted: (error, tty) => this.#events.notStarted(error, tty),
      changed: (changed) => this.#events.changed(changed),
    });
    this.#sessions.set(session.idHash, session);
    return session;
  }
}
