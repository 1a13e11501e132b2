// What is on its way into a child's stdin pipe; the event loop says when there is room.
import { Socket } from 'node:net';
import type { WriteOutcome } from './child.ts';
import type { Pipe } from './pipe.ts';

export class StdinPipe {
  readonly name: string;
  readonly #socket: Socket;
  /** Settled by the write's own callback, or all at once when the pipe goes. */
  readonly #waiting = new Set<(outcome: WriteOutcome) => void>();

  constructor({ ours: fd, name }: Pipe) {
    this.name = name;
    this.#socket = new Socket({ fd, readable: false, writable: true });
    // EPIPE: nobody reads any more. The writes are told so below.
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => {
      for (const settle of this.#waiting) settle('closed');
      this.#waiting.clear();
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    const socket = this.#socket;
    if (!socket.writable) return 'closed';
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      socket.write(bytes, (error) => {
        this.#waiting.delete(resolve);
        // A write that was under way when the pipe was destroyed calls back without an error.
        resolve(error || socket.destroyed ? 'closed' : 'accepted');
      });
    });
  }

  /** End of file after what is queued; that still goes to whoever holds the other end, when the program is gone. */
  end(): void {
    this.#socket.end();
  }

  /** What is queued is lost. */
  destroy(): void {
    this.#socket.destroy();
  }
}
