// Bytes queued for a child's stdin pipe; the event loop reports when there is room.
import { Socket } from 'node:net';
import type { OwnEnd, WriteOutcome } from './child.ts';

interface Queued {
  readonly bytes: Uint8Array;
  readonly settle: (outcome: WriteOutcome) => void;
}

export class StdinPipe {
  readonly pipe: OwnEnd;
  readonly #socket: Socket;
  /**
   * Writes in order. Only the first one is passed to the event loop, which reports how many of its bytes the kernel
   * has accepted.
   */
  readonly #queue: Queued[] = [];
  #isEnding = false;
  #isOpen = true;

  constructor(pipe: OwnEnd) {
    this.pipe = pipe;
    this.#socket = new Socket({ fd: pipe.fd, readable: false, writable: true });
    // EPIPE: no reader is left, which the writes below report.
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => {
      this.#isOpen = false;
      for (const { settle } of this.#queue.splice(0)) settle('closed');
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** True while the pipe is being closed, until its unfinished writes are settled. */
  get isClosing(): boolean {
    return this.#socket.destroyed && this.#isOpen;
  }

  /** True when the pipe ends after the queued bytes. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Bytes that the kernel has not accepted. */
  get queued(): readonly Uint8Array[] {
    const [first, ...others] = this.#queue.map(({ bytes }) => bytes);
    if (!first) return [];
    // oxlint-disable-next-line no-underscore-dangle -- Node's name, which the types do not declare
    const { writeQueueSize } = (this.#socket as unknown as { _handle: { writeQueueSize: number } })._handle;
    return [first.subarray(first.length - writeQueueSize), ...others].filter(({ length }) => length > 0);
  }

  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    if (!this.#socket.writable || this.#isEnding) return 'closed';
    return new Promise((settle) => {
      this.#queue.push({ bytes, settle });
      if (this.#queue.length === 1) this.#writeFirst();
    });
  }

  /**
   * Ends the pipe after the queued bytes, which any process with the other end open can still read, even when the
   * program has ended.
   */
  end(): void {
    this.#isEnding = true;
    if (this.#queue.length === 0) this.#socket.end();
  }

  /** Closes the pipe; queued bytes are lost. */
  destroy(): void {
    this.#socket.destroy();
  }

  #writeFirst(): void {
    const [first] = this.#queue;
    if (!first) {
      if (this.#isEnding) this.#socket.end();
      return;
    }
    this.#socket.write(first.bytes, (error) => {
      if (this.#queue[0] !== first) return;
      this.#queue.shift();
      // A write in progress calls back without an error when the pipe is destroyed.
      first.settle(error || this.#socket.destroyed ? 'closed' : 'accepted');
      this.#writeFirst();
    });
  }
}
