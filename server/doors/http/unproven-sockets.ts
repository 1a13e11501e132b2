// Sockets that have proved nothing yet: so many, and then the one that has been there longest makes room.
import type { Socket } from 'node:net';

export class UnprovenSockets {
  readonly #most: number;
  /** In the order of their arrival, by their other end: what TLS makes of a socket is another object. */
  readonly #sockets = new Map<string, Socket>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Who comes in good faith is through in a moment; who only holds a place loses it. */
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
