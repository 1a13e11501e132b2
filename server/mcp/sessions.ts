// MCP sessions of all clients; a session is removed when its client has been idle for a long time.
import type { Identity } from '../policy/identity.ts';
import { Budget, divided } from '../limits/budget.ts';
import type { Notes } from '../unified/notes.ts';
import { hashOf, McpSession, type PastMcpSession, type SessionOptions } from './session.ts';

export interface SessionsLimits {
  /** Maximum number of sessions; `divided` limits the number of one token. */
  readonly mcpSessions: number;
  /** Idle time after which a client without an open stream counts as disconnected. */
  readonly mcpIdleMs: number;
  /** Idle time after which a session is removed. */
  readonly mcpForgottenMs: number;
}

/** Maximum interval between checks for idle clients and for sessions to remove. */
const LOOK_MS = 30_000;

interface Entry {
  readonly session: McpSession;
  readonly giveBack: () => void;
}

const KIND = 'mcp';

export class McpSessions {
  readonly #limits: SessionsLimits;
  readonly #room: Budget;
  /** Entries by the hash of the session id. */
  readonly #entries = new Map<string, Entry>();
  readonly #notes: Notes | null;
  readonly #timer: NodeJS.Timeout;

  /** `notes` is null when no later gateway will read them. */
  constructor(limits: SessionsLimits, notes: Notes | null) {
    this.#limits = limits;
    this.#notes = notes;
    this.#room = new Budget('MCP sessions', divided(limits.mcpSessions));
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_MS, limits.mcpIdleMs)).unref();
  }

  /** Opens a session; returns the reason when there is no room. */
  open(options: SessionOptions): McpSession | string {
    const { identity } = options;
    if (this.#room.whyNot(identity) !== null) this.#makeRoom(identity);
    const why = this.#room.whyNot(identity);
    if (why !== null) return why;
    const session = this.#add(options);
    session.note();
    return session;
  }

  /**
   * Restores the sessions of an earlier gateway; `optionsOf` returns null for a session whose token is no longer valid.
   */
  restore(optionsOf: (past: PastMcpSession) => SessionOptions | null): void {
    for (const [idHash, value] of this.#notes?.all(KIND) ?? []) {
      const past = pastOf(value);
      const options = past && optionsOf(past);
      if (!past || !options) {
        this.#notes?.remove(KIND, idHash);
        continue;
      }
      const session = this.#add({ ...options, idHash });
      if (past.isGone) session.leave();
      else session.comeBack();
    }
  }

  #add(options: SessionOptions): McpSession {
    const noted: SessionOptions['noted'] = (idHash, past) => {
      if (this.#entries.has(idHash)) this.#notes?.set(KIND, idHash, past);
    };
    const session = new McpSession({ ...options, noted });
    this.#entries.set(session.idHash, { session, giveBack: this.#room.take(options.identity) });
    return session;
  }

  /**
   * Returns the session, whose client then counts as active; null when it is unknown or another token's, so that a
   * client cannot distinguish these.
   */
  find(id: string, { tokenId }: Identity): McpSession | null {
    const session = this.#entries.get(hashOf(id))?.session;
    if (session?.tokenId !== tokenId) return null;
    session.touch();
    return session;
  }

  end(session: McpSession): void {
    this.#entries.get(session.idHash)?.giveBack();
    this.#entries.delete(session.idHash);
    this.#notes?.remove(KIND, session.idHash);
    session.end();
  }

  revoke(tokenId: string): void {
    for (const { session } of this.#entries.values()) if (session.tokenId === tokenId) this.end(session);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { session } of this.#entries.values()) this.end(session);
  }

  #look(): void {
    const { mcpIdleMs, mcpForgottenMs } = this.#limits;
    for (const { session } of this.#entries.values()) {
      if (session.idleMs > mcpForgottenMs) this.end(session);
      else if (session.idleMs > mcpIdleMs) session.leave();
    }
  }

  /**
   * Ends the token's session that has been idle longest, so that clients which never end their sessions do not
   * lock themselves out.
   */
  #makeRoom({ tokenId }: Identity): void {
    const idle = [...this.#entries.values()]
      .map(({ session }) => session)
      .filter((session) => session.tokenId === tokenId && session.idleMs > 0)
      .toSorted((a, b) => b.idleMs - a.idleMs);
    if (idle[0]) this.end(idle[0]);
  }
}

function pastOf(value: unknown): PastMcpSession | null {
  const past = value as Partial<PastMcpSession> | null;
  const isWhole = typeof past?.tokenId === 'string' && typeof past.client?.name === 'string';
  return isWhole && typeof past.version === 'string' ? (past as PastMcpSession) : null;
}
