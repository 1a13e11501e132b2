// The MCP sessions of all clients: found by their id and token, ended when nothing shows any more that the client is there.
import type { Identity } from '../policy/identity.ts';
import { Budget, divided } from '../limits/budget.ts';
import { McpSession, type SessionOptions } from './session.ts';

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

export class McpSessions {
  readonly #limits: SessionsLimits;
  readonly #room: Budget;
  readonly #entries = new Map<string, Entry>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: SessionsLimits) {
    this.#limits = limits;
    this.#room = new Budget('MCP sessions', divided(limits.mcpSessions));
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_MS, limits.mcpIdleMs)).unref();
  }

  /** Returns the reason when there is no room. */
  open(options: SessionOptions): McpSession | string {
    const { identity } = options;
    if (this.#room.whyNot(identity) !== null) this.#makeRoom(identity);
    const why = this.#room.whyNot(identity);
    if (why !== null) return `there are ${why}`;
    const session = new McpSession(options);
    this.#entries.set(session.id, { session, giveBack: this.#room.take(identity) });
    return session;
  }

  /** Returns null for an unknown session and for one of another token, which are the same to a client. */
  find(id: string, { tokenId }: Identity): McpSession | null {
    const session = this.#entries.get(id)?.session;
    if (session?.tokenId !== tokenId) return null;
    session.touch();
    return session;
  }

  end(session: McpSession): void {
    this.#entries.get(session.id)?.giveBack();
    this.#entries.delete(session.id);
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
