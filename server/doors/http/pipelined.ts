// Limits the requests that a client sends on one socket before earlier ones are answered.
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export class Pipelined {
  readonly #most: number;
  readonly #open = new WeakMap<Duplex, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns false for a request beyond the limit: each unread reply uses memory that the client controls. */
  begin(socket: Duplex, response: ServerResponse): boolean {
    const open = (this.#open.get(socket) ?? 0) + 1;
    if (open > this.#most) return false;
    this.#open.set(socket, open);
    response.once('close', () => this.#open.set(socket, (this.#open.get(socket) ?? 1) - 1));
    return true;
  }
}
