// A transport without a network, which a test can stall and cut.
import type { Channel, ChannelEvents, SendWindow } from '../rpc/channel.ts';
import type { WireEvents } from './wire-client.ts';

/** The server's end is a Channel; the test has the other end. */
export class ChannelPair implements Channel {
  readonly peer = 'test';
  readonly ends = null;
  /** Messages from the server, parsed, in order. */
  readonly received: Record<string, unknown>[] = [];
  arrivingBytes = 0;
  window: SendWindow | null = null;
  closedWith: { code: number; reason: string } | null = null;
  /** Receives everything that arrives at the test's end. */
  client: WireEvents | null = null;
  #events: ChannelEvents | null = null;
  #stalled: string[] | null = null;

  /** Stalls the channel, so that messages of the server stay unsent. */
  stall(): void {
    this.#stalled ??= [];
  }

  flow(): void {
    const waiting = this.#stalled ?? [];
    this.#stalled = null;
    for (const message of waiting) this.#deliver(message);
    this.#events?.onDrain();
  }

  /** Reports that `window` has opened. */
  open(): void {
    this.#events?.onDrain();
  }

  /** Sends a message from the client. */
  push(message: unknown): void {
    this.#events?.onMessage(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Simulates an incomplete message with `bytes` received so far. */
  arrive(bytes: number): void {
    this.arrivingBytes = bytes;
    this.#events?.onArriving();
  }

  /** Half-closes the connection: the client sends nothing more, but still receives. */
  end(): void {
    this.#events?.onEnd();
  }

  cut(): void {
    this.#events?.onClose();
    this.#events = null;
    this.client?.onClose(1006, '');
  }

  get unsentBytes(): number {
    return (this.#stalled ?? []).reduce((sum, message) => sum + message.length, 0);
  }

  listen(events: ChannelEvents): void {
    this.#events = events;
  }

  send(message: string | Buffer): void {
    if (this.#stalled) this.#stalled.push(String(message));
    else this.#deliver(String(message));
  }

  batch(work: () => void): void {
    work();
  }

  close(code: number, reason: string): void {
    if (this.closedWith) return;
    this.closedWith = { code, reason };
    this.client?.onClose(code, reason);
  }

  #deliver(message: string): void {
    this.received.push(JSON.parse(message) as Record<string, unknown>);
    this.client?.onMessage(message);
  }
}
