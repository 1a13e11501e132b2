// Unified exec for all clients of the gateway, and what they share.
import type { Identity } from '../policy/identity.ts';
import type { RoomOptions, UnifiedClient } from './client.ts';
import { Cut } from './line.ts';
import { Lines } from './lines.ts';
import { restoreSessions } from './past.ts';
import { Sessions } from './sessions.ts';
import { UnifiedExec } from './unified-exec.ts';

/** Session ids are unique in this room, and valid only for the token that started the session. */
export class UnifiedRoom {
  readonly #options: RoomOptions;
  readonly #sessions: Sessions;
  readonly #lines: Lines;
  readonly #clients = new Set<UnifiedExec>();
  #isClosed = false;

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options, options.notes);
    this.#lines = new Lines((channel, identity) => {
      if (this.#isClosed) throw new Cut('the gateway is stopping');
      options.serve(channel, identity);
    }, options.notes);
  }

  /** Returns the tools of one client. A client that reconnects with the same token finds its sessions again. */
  enter(identity: Identity, client: UnifiedClient): UnifiedExec {
    const exec: UnifiedExec = new UnifiedExec(identity, client, {
      ...this.#options,
      sessions: this.#sessions,
      lines: this.#lines,
      entered: () => this.#clients.add(exec),
      left: () => this.#clients.delete(exec),
    });
    this.#clients.add(exec);
    return exec;
  }

  /** Restores the sessions of an earlier gateway; `identityOf` returns null for a token that is no longer valid. */
  restore(identityOf: (tokenId: string) => Identity | null): void {
    const { notes } = this.#options;
    const [sessions, lines] = [this.#sessions, this.#lines];
    if (notes) restoreSessions({ ...this.#options, notes, sessions, lines }, identityOf);
  }

  /** Returns the tools of a client of an earlier gateway, whose sessions continue immediately. */
  comeBack(identity: Identity, client: UnifiedClient): UnifiedExec {
    const exec = this.enter(identity, client);
    exec.goOn(this.#lines.takePast(identity, client));
    return exec;
  }

  /** Drops the unread output of a process whose recording was removed. */
  removeOutput(key: string): void {
    this.#sessions.removeOutput(key);
  }

  /** Disconnects all clients and refuses new connections; processes are ended elsewhere. */
  close(): void {
    this.#isClosed = true;
    for (const exec of this.#clients) exec.close();
  }
}
