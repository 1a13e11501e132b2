// Limits unauthenticated sockets: beyond the limit, the oldest is closed.
import type { Socket } from 'node:net';

export class UnprovenSockets {
  readonly #most: number;
  /** Sockets in order of arrival, by remote address, since the TLS socket is another object. */
  readonly #sockets = new Map<string, Socket>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a socket; beyond the limit, the oldest is closed, since honest clients authenticate at once. */
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
