// Limits unauthenticated sockets: beyond the limit, the oldest is closed.
import type { Socket } from 'node:net';

export class UnprovenSockets {
  readonly #most: number;
  /** Sockets in order of arrival, keyed by the addresses of both ends, since the TLS socket is a different object. */
  readonly #sockets = new Map<string, Socket>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a socket; beyond the limit, the oldest is closed, since honest clients authenticate at once. */
  add(socket: Socket): void {
    const ends = endsOf(socket);
    this.#sockets.set(ends, socket);
    socket.once('close', () => {
      if (this.#sockets.get(ends) === socket) this.#sockets.delete(ends);
    });
    if (this.#sockets.size <= this.#most) return;
    const [oldest] = this.#sockets;
    if (!oldest) return;
    this.#sockets.delete(oldest[0]);
    oldest[1].destroy();
  }

  proved(socket: Socket): void {
    this.#sockets.delete(endsOf(socket));
  }
}

/**
 * Returns the addresses of both ends: one port of a client may have connections to several addresses of this machine.
 */
const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  JSON.stringify([remoteAddress, remotePort, localAddress, localPort]);
