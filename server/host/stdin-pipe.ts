// Bytes queued for a child's stdin pipe; the event loop reports when there is room.
import { Socket } from 'node:net';
import type { WriteOutcome } from './child.ts';
import type { Pipe } from './pipe.ts';

export class StdinPipe {
  readonly name: string;
  readonly #socket: Socket;
  /** Outcomes settled by the write's own callback, or all at once when the pipe closes. */
  readonly #waiting = new Set<(outcome: WriteOutcome) => void>();

  constructor({ ours: fd, name }: Pipe) {
    this.name = name;
    this.#socket = new Socket({ fd, readable: false, writable: true });
    // EPIPE: no reader is left, which the writes below report.
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
        // A write in progress calls back without an error when the pipe is destroyed.
        resolve(error || socket.destroyed ? 'closed' : 'accepted');
      });
    });
  }

  /**
   * Ends the pipe after the queued bytes, which any process with the other end gets, even when the program has ended.
   */
  end(): void {
    this.#socket.end();
  }

  /** Closes the pipe; queued bytes are lost. */
  destroy(): void {
    this.#socket.destroy();
  }
}
