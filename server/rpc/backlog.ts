// Limits the total waiting bytes of all connections: beyond the limit, the connection with the most is closed.
import { numberText } from '../../text/amounts.ts';

interface BacklogLimits {
  readonly backlogBytes: number;
  readonly socketHighWaterBytes: number;
}

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

  /**
   * Called when the waiting bytes of a connection have increased. The sum over all connections is computed
   * only when this one exceeds its own allowance.
   */
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
      most.giveUp(
        `more than ${numberText(backlogBytes)} bytes are waiting on all connections, and this one has the most`,
      );
  }
}
