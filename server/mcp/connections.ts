// Connections of requests to /mcp: each counts as a descriptor of its token, and is closed when the token
// ends.
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { whenExpired } from '../policy/expiry.ts';
import type { Identity } from '../policy/identity.ts';

export interface ConnectionsOptions {
  /** Returns the reason why this identity cannot open another connection now; null when it can. */
  readonly whyFull: (identity: Identity) => string | null;
  /** Reserves a descriptor for a connection; returns a function that releases it. */
  readonly take: (identity: Identity) => () => void;
}

/** A token's use of a connection. */
interface Entry {
  readonly tokenId: string;
  readonly release: () => void;
  /** Number of requests of the token that are still being answered. */
  calls: number;
}

export class McpConnections {
  readonly #options: ConnectionsOptions;
  /** Entries of each connection, most recently used last. A proxy may use one connection for several clients. */
  readonly #entries = new Map<Socket, Entry[]>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Admits a request on this socket; returns the reason when its token cannot use another socket, otherwise null. */
  begin(socket: Socket, response: EventEmitter, identity: Identity): string | null {
    const entries = this.#entries.get(socket) ?? [];
    const known = entries.find(({ tokenId }) => tokenId === identity.tokenId);
    for (const other of entries) if (other !== known && other.calls === 0) other.release();
    const why = known ? null : this.#options.whyFull(identity);
    if (why !== null) return why;
    const entry = known ?? this.#open(socket, identity);
    this.#entries.set(socket, [...this.#others(socket, entry), entry]);
    entry.calls += 1;
    response.once('close', () => {
      entry.calls -= 1;
      // The most recent token's entry remains until the connection closes; a closed connection has no entries.
      const isEarlier = this.#entries.get(socket)?.slice(0, -1).includes(entry) === true;
      if (entry.calls === 0 && isEarlier) entry.release();
    });
    return null;
  }

  /** Closes the connections of a revoked token in the next event loop turn, after the replies of its aborted calls. */
  revoke(tokenId: string): void {
    const sockets = [...this.#entries].flatMap(([socket, entries]) =>
      entries.some((entry) => entry.tokenId === tokenId) ? socket : [],
    );
    setImmediate(() => {
      for (const socket of sockets) socket.destroy();
    });
  }

  #open(socket: Socket, identity: Identity): Entry {
    const giveBack = this.#options.take(identity);
    const stopExpiry = whenExpired(identity, () => socket.destroy());
    const release = (): void => {
      socket.off('close', release);
      stopExpiry();
      giveBack();
      const others = this.#others(socket, entry);
      if (others.length > 0) this.#entries.set(socket, others);
      else this.#entries.delete(socket);
    };
    const entry: Entry = { tokenId: identity.tokenId, release, calls: 0 };
    socket.once('close', release);
    return entry;
  }

  #others(socket: Socket, entry: Entry): Entry[] {
    return (this.#entries.get(socket) ?? []).filter((each) => each !== entry);
  }
}
