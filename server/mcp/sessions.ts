// The MCP sessions of all clients: found by their id and token, ended when nothing shows any more that the client is there.
import type { Identity } from '../policy/identity.ts';
import { Budget, divided } from '../limits/budget.ts';
import type { Notes } from '../unified/notes.ts';
import { hashOf, McpSession, type PastMcpSession, type SessionOptions } from './session.ts';

export interface SessionsLimits {
  /** Sessions in total; one token gets half. */
  readonly mcpSessions: number;
  /** Time without a request after which a client that holds no stream counts as gone. */
  readonly mcpIdleMs: number;
  /** Time after which its session is forgotten. */
  readonly mcpForgottenMs: number;
}

/** Interval of looks for clients that are gone. */
const LOOK_MS = 30_000;

interface Entry {
  readonly session: McpSession;
  readonly giveBack: () => void;
}

/** The kind of the notes. */
const KIND = 'mcp';

export class McpSessions {
  readonly #limits: SessionsLimits;
  readonly #room: Budget;
  /** Entries by the hash of the session's id. */
  readonly #entries = new Map<string, Entry>();
  readonly #notes: Notes | null;
  readonly #timer: NodeJS.Timeout;

  /** `notes`: for a later gateway; null where there will be none. */
  constructor(limits: SessionsLimits, notes: Notes | null) {
    this.#limits = limits;
    this.#notes = notes;
    this.#room = new Budget('MCP sessions', divided(limits.mcpSessions));
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_MS, limits.mcpIdleMs)).unref();
  }

  /** Returns the reason when there is no room. */
  open(options: SessionOptions): McpSession | string {
    const { identity } = options;
    if (this.#room.whyNot(identity) !== null) this.#makeRoom(identity);
    const why = this.#room.whyNot(identity);
    if (why !== null) return `there are ${why}`;
    const session = this.#add(options);
    session.note();
    return session;
  }

  /** Takes the sessions of an earlier gateway, whose clients may be there; `optionsOf` returns null for one that is over. */
  restore(optionsOf: (past: PastMcpSession) => SessionOptions | null): void {
    for (const [idHash, value] of this.#notes?.all(KIND) ?? []) {
      const past = pastOf(value);
      const options = past && optionsOf(past);
      if (!past || !options) {
        this.#notes?.remove(KIND, idHash);
        continue;
      }
      const session = this.#add({ ...options, idHash });
      if (!past.isGone) session.comeBack();
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

  /** Returns null for an unknown session and for one of another token, which are the same to a client. */
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

  /** Ends the sessions of a token that was revoked. */
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

  /** Clients that begin anew and never end their session must not lock themselves out: the longest idle one ends. */
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
