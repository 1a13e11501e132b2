// Unauthenticated sockets: beyond a limit, the oldest is closed.
import type { Socket } from 'node:net';

export class UnprovenSockets {
  readonly #most: number;
  /** Sockets in order of arrival, by their remote address: the TLS socket is a different object. */
  readonly #sockets = new Map<string, Socket>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a socket: an honest client authenticates at once, and one that only occupies a place loses it. */
  add(socket: Socket): void {
    const end = otherEnd(socket);
    this.#sockets.set(end, socket);
    socket.once('close', () => {
      if (this.#sockets.get(end) === socket) this.#sockets.delete(end);
    });
    if (this.#sockets.size <= this.#most) return;
    const [oldest] = this.#sockets;
    if (!oldest) return;
    this.#sockets.delete(oldest[0]);
    oldest[1].destroy();
  }

  proved(socket: Socket): void {
    this.#sockets.delete(otherEnd(socket));
  }
}

const otherEnd = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;
