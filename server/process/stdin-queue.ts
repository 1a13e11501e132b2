// What is on its way to a child's stdin, in order.
import type { Writable } from 'node:stream';

export class StdinQueue {
  readonly #stream: Writable;
  readonly #closed: Promise<'closed'>;

  constructor(stream: Writable) {
    this.#stream = stream;
    // EPIPE: nobody reads any more. The writes under way are told by their callbacks.
    stream.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      stream.once('close', () => resolve('closed'));
    });
  }

  write(bytes: Uint8Array): Promise<'accepted' | 'closed'> {
    if (!this.#stream.writable) return Promise.resolve('closed');
    const written = new Promise<'accepted' | 'closed'>((resolve) => {
      this.#stream.write(bytes, (error) => resolve(error ? 'closed' : 'accepted'));
    });
    return Promise.race([written, this.#closed]);
  }

  end(): void {
    this.#stream.end();
  }

  destroy(): void {
    this.#stream.destroy();
  }
}
