// What waits on all connections together: beyond its limit the one that has most of it is given up.

interface BacklogLimits {
  readonly backlogBytes: number;
  readonly socketHighWaterBytes: number;
}

/** A connection, as far as this is about it. */
interface Waiting {
  readonly backlogBytes: number;
  giveUp(reason: string): void;
}

export class Backlog {
  readonly #limits: BacklogLimits;
  readonly #connections = new Set<Waiting>();

  constructor(limits: BacklogLimits) {
    this.#limits = limits;
  }

  add(connection: Waiting): void {
    this.#connections.add(connection);
  }

  remove(connection: Waiting): void {
    this.#connections.delete(connection);
  }

  /** More waits on this one than before; nobody counts for as long as it is what any connection may have. */
  grown(connection: Waiting): void {
    const { backlogBytes, socketHighWaterBytes } = this.#limits;
    if (connection.backlogBytes <= socketHighWaterBytes) return;
    let all = 0;
    let most = connection;
    for (const each of this.#connections) {
      all += each.backlogBytes;
      if (each.backlogBytes > most.backlogBytes) most = each;
    }
    if (all > backlogBytes)
      most.giveUp(`more than ${backlogBytes} bytes wait on all connections, and most of them here`);
  }
}
