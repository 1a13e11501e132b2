// A pair of in-memory sockets: messages arrive later and in order, unless the connection is cut first.
import type { SocketLike } from '../socket-like.ts';
import type { TestRuntime } from './manual-runtime.ts';

type Listener = (event: { readonly data: unknown; readonly code: number; readonly reason: string }) => void;

export interface GatewayEnd {
  message(text: string): void;
  closed(): void;
}

export class SocketPair implements SocketLike {
  readonly #runtime: TestRuntime;
  readonly #listeners = new Map<string, Listener[]>();
  readonly #longestMs: number;
  #gatewayEnd: GatewayEnd | null = null;
  #isOpen = true;
  /**
   * True when no message arrives and neither end notices, as with a suspended machine or an unplugged
   * cable.
   */
  isSilent = false;
  /** Number of unsolicited pongs from the client's end. */
  pongs = 0;
  /** Received messages not read yet; null while not paused. */
  #unread: (() => void)[] | null = null;
  /** Arrival time of the last message in each direction; the next message can't arrive earlier. */
  #toClientMs = 0;
  #toGatewayMs = 0;

  constructor(runtime: TestRuntime, longestMs = 0) {
    this.#runtime = runtime;
    this.#longestMs = longestMs;
  }

  /** Opens the connection, with `end` as the gateway's side. */
  accept(end: GatewayEnd): void {
    this.#gatewayEnd = end;
    this.#toClient('open', {});
  }

  /** Makes the connection fail; a refused upgrade looks the same. */
  refuse(): void {
    this.#toClient('close', { code: 1006 });
  }

  // Methods of the client's end.

  send(text: string): void {
    this.#toGatewayMs = this.#deliver(this.#toGatewayMs, () => this.#gatewayEnd?.message(text));
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (!this.isSilent) this.#runtime.after(0, () => this.#gatewayEnd?.closed());
  }

  get isPaused(): boolean {
    return this.#unread !== null;
  }

  pause(): void {
    this.#unread ??= [];
  }

  resume(): void {
    const unread = this.#unread ?? [];
    this.#unread = null;
    // The handler of a message may pause again.
    for (let read = unread.shift(); read; read = unread.shift()) {
      read();
      if (this.isPaused) {
        this.#unread = unread;
        return;
      }
    }
  }

  pong(): void {
    this.pongs += 1;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  // Methods of the gateway's end.

  push(text: string): void {
    this.#toClient('message', { data: text });
  }

  /** Closes the gateway's end; messages sent earlier still arrive. */
  closeByGateway(code: number, reason = ''): void {
    this.#toClient('close', { code, reason });
    this.#toClientMs = Number.POSITIVE_INFINITY;
    this.#gatewayEnd?.closed();
  }

  /** Cuts the connection; everything in flight is lost, in both directions. */
  cut(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#emit('close', { code: 1006 });
    this.#gatewayEnd?.closed();
  }

  /** Makes the gateway detect that a silent client is gone. */
  loseClient(): void {
    this.#isOpen = false;
    this.#gatewayEnd?.closed();
  }

  #toClient(type: string, event: Partial<Parameters<Listener>[0]>): void {
    const read = (): void => this.#emit(type, event);
    this.#toClientMs = this.#deliver(this.#toClientMs, () => {
      if (this.#unread) this.#unread.push(read);
      else read();
    });
  }

  #deliver(notBeforeMs: number, arrive: () => void): number {
    const atMs = Math.max(notBeforeMs, this.#runtime.now() + this.#runtime.pick(0, this.#longestMs));
    if (!Number.isFinite(atMs)) return atMs;
    this.#runtime.after(atMs - this.#runtime.now(), () => {
      if (this.#isOpen && !this.isSilent) arrive();
    });
    return atMs;
  }

  #emit(type: string, event: Partial<Parameters<Listener>[0]>): void {
    for (const listener of this.#listeners.get(type) ?? []) {
      listener({ data: null, code: 0, reason: '', ...event });
    }
  }
}
