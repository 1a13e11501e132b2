// Limits the requests that a client sends on one socket before earlier ones are answered.
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export class Pipelined {
  readonly #most: number;
  readonly #open = new WeakMap<Duplex, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts a request until its response closes. Returns false beyond the limit, since replies that the client does not
   * read would fill the memory.
   */
  begin(socket: Duplex, response: ServerResponse): boolean {
    const open = (this.#open.get(socket) ?? 0) + 1;
    if (open > this.#most) return false;
    this.#open.set(socket, open);
    response.once('close', () => this.#open.set(socket, (this.#open.get(socket) ?? 1) - 1));
    return true;
  }
}
