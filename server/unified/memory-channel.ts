// A channel whose other end is in this program.
import type { Channel, ChannelEvents } from '../rpc/channel.ts';

interface Ends {
  /** Called with each message, in order. */
  readonly onMessage: (text: string) => void;
  /** Called at most once, when the server closes the channel. */
  readonly onClosed: (code: number, reason: string) => void;
}

interface Queued {
  readonly message: string | Buffer;
  readonly onTaken: (() => void) | undefined;
}

/** Delivers the server's messages together in a later microtask, after the work that sends them. */
export class MemoryChannel implements Channel {
  readonly peer: string;
  readonly ends = null;
  readonly window = null;
  readonly arrivingBytes = 0;
  readonly #ends: Ends;
  #events: ChannelEvents | null = null;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #isScheduled = false;
  #isClosed = false;

  /** `peer` is the address of the client on whose behalf the channel is used. */
  constructor(peer: string, ends: Ends) {
    this.peer = peer;
    this.#ends = ends;
  }

  get unsentBytes(): number {
    return this.#queuedBytes;
  }

  listen(events: ChannelEvents): void {
    this.#events = events;
  }

  send(message: string | Buffer, onTaken?: () => void): void {
    if (this.#isClosed) return;
    this.#queue.push({ message, onTaken });
    this.#queuedBytes += message.length;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#take());
  }

  batch(work: () => void): void {
    work();
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#take();
    this.#stop();
    this.#ends.onClosed(code, reason);
  }

  /** Sends the server a message. */
  push(message: object): void {
    this.#events?.onMessage(JSON.stringify(message));
  }

  /** Disconnects the client. */
  end(): void {
    if (this.#isClosed) return;
    this.#stop();
    this.#events?.onClose();
  }

  #take(): void {
    this.#isScheduled = false;
    const queue = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const { message, onTaken } of queue) {
      const text = message.toString();
      onTaken?.();
      this.#ends.onMessage(text);
    }
    if (queue.length > 0 && !this.#isClosed) this.#events?.onDrain();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#queue = [];
    this.#queuedBytes = 0;
  }
}
