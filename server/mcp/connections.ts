// Connections of requests to /mcp: each takes a descriptor of its token, and is closed when the token ends.
import type { Socket } from 'node:net';
import { whenExpired } from '../policy/expiry.ts';
import type { Identity } from '../policy/identity.ts';

export interface ConnectionsOptions {
  /** Returns why this identity may open no further connection; null when it may. */
  readonly whyFull: (identity: Identity) => string | null;
  /** Books the descriptor of a connection; returns a function that releases it. */
  readonly take: (identity: Identity) => () => void;
}

interface Entry {
  readonly tokenId: string;
  readonly release: () => void;
}

export class McpConnections {
  readonly #options: ConnectionsOptions;
  readonly #entries = new Map<Socket, Entry>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Admits a request on this socket; returns the reason when its token may use no more sockets. */
  begin(socket: Socket, identity: Identity): string | null {
    const known = this.#entries.get(socket);
    if (known?.tokenId === identity.tokenId) return null;
    // The proxy of several clients may reuse a connection for another token.
    known?.release();
    const why = this.#options.whyFull(identity);
    if (why !== null) return why;
    const giveBack = this.#options.take(identity);
    const stopExpiry = whenExpired(identity, () => socket.destroy());
    const release = (): void => {
      socket.off('close', release);
      stopExpiry();
      giveBack();
      this.#entries.delete(socket);
    };
    socket.once('close', release);
    this.#entries.set(socket, { tokenId: identity.tokenId, release });
    return null;
  }

  /** Closes the connections of a revoked token, whose aborted calls may still end their answers in this turn. */
  revoke(tokenId: string): void {
    const sockets = [...this.#entries].flatMap(([socket, entry]) =>
      entry.tokenId === tokenId ? socket : [],
    );
    setImmediate(() => {
      for (const socket of sockets) socket.destroy();
    });
  }
}
