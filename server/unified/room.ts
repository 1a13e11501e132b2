// The room of unified exec: all clients of the gateway, and what they share.
import type { Identity } from '../policy/identity.ts';
import type { RoomOptions, UnifiedClient } from './client.ts';
import { Cut } from './line.ts';
import { Lines } from './lines.ts';
import { Sessions } from './sessions.ts';
import { UnifiedExec } from './unified-exec.ts';

/** All clients of the gateway: sessions have ids that are unique here, and valid for the token that started them. */
export class UnifiedRoom {
  readonly #options: RoomOptions;
  readonly #sessions: Sessions;
  readonly #lines: Lines;
  readonly #clients = new Set<UnifiedExec>();
  #isClosed = false;

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options);
    this.#lines = new Lines((channel, identity) => {
      if (this.#isClosed) throw new Cut('the gateway stops');
      options.serve(channel, identity);
    });
  }

  /** Returns the tools of one client. A client that comes back with the same token finds its sessions again. */
  enter(identity: Identity, client: UnifiedClient): UnifiedExec {
    const exec: UnifiedExec = new UnifiedExec(identity, client, {
      ...this.#options,
      sessions: this.#sessions,
      lines: this.#lines,
      left: () => this.#clients.delete(exec),
    });
    this.#clients.add(exec);
    return exec;
  }

  /** Closes all clients, and begins nothing more; processes are ended elsewhere. */
  close(): void {
    this.#isClosed = true;
    for (const exec of this.#clients) exec.close();
  }
}
