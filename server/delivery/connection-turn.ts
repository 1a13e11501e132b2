// Shares a connection fairly among its sources of output: each sends one chunk in turn.
import type { Connection } from '../rpc/connection.ts';

export interface Source {
  /** Sends the next message and returns its length; null when there is none until the source calls `ready` again. */
  sendNext(): number | null;
  /**
   * Returns the number of decoded bytes still unsent, plus those sent since the first call with this `round`
   * (a round of the connection's window).
   */
  bytesSince(round: number): number;
}

export interface TurnLimits {
  readonly turnBytes: number;
  readonly socketHighWaterBytes: number;
  readonly windowPassingBytes: number;
}

/**
 * Queues sources, not messages. A message is built when the socket can take it, and a message of a flood only when
 * the peer has read most of what is in flight. So a flood delays neither the events of other processes, here or in
 * the kernel, nor replies.
 */
export class ConnectionTurn {
  readonly connection: Connection;
  readonly #limits: TurnLimits;
  readonly #ready = new Set<Source>();
  readonly #later = new Set<Source>();
  #scheduled: NodeJS.Immediate | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(connection: Connection, limits: TurnLimits) {
    this.connection = connection;
    this.#limits = limits;
    connection.onDrain(() => this.#schedule());
    connection.onEnding(() => this.#close());
  }

  /** Queues a source that has a message; call it again when `sendNext` returned null and there is a message again. */
  ready(source: Source): void {
    if (this.connection.isEnding || this.#ready.has(source)) return;
    this.#later.delete(source);
    this.#ready.add(source);
    if (!this.#mustWait(source)) this.#schedule();
  }

  /** Queues a source after at most a millisecond, in which its message may grow; people do not notice this delay. */
  readyLater(source: Source): void {
    if (this.connection.isEnding || this.#ready.has(source)) return;
    this.#later.add(source);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const each of this.#later) this.ready(each);
    }, 1);
  }

  remove(source: Source): void {
    this.#ready.delete(source);
    this.#later.delete(source);
  }

  /** True while the socket is full; the turn is notified when it drains. */
  get #isFull(): boolean {
    return this.connection.channel.unsentBytes >= this.#limits.socketHighWaterBytes;
  }

  /**
   * True while the window is full, except for a source with little recent output; the turn is notified when it
   * opens.
   */
  #mustWait(source: Source): boolean {
    const { window } = this.connection.channel;
    return window?.isFull === true && source.bytesSince(window.round) > this.#limits.windowPassingBytes;
  }

  #schedule(): void {
    if (this.#scheduled || this.#ready.size === 0 || this.#isFull) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = null;
      this.connection.channel.batch(() => this.#run());
    });
  }

  #run(): void {
    let budget = this.#limits.turnBytes;
    // A set iterates in insertion order, so removing and adding a source again puts it last.
    for (const source of this.#ready) {
      if (budget <= 0 || this.#isFull) {
        this.#schedule();
        return;
      }
      if (this.#mustWait(source)) continue;
      this.#ready.delete(source);
      const sent = source.sendNext();
      if (sent === null) continue;
      this.#ready.add(source);
      budget -= sent;
    }
  }

  #close(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#ready.clear();
    this.#later.clear();
  }
}
