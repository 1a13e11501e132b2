// Follows one process for its owner: every event is pushed, and the process waits for the owner.
import type { Hold, ProcessView } from '../keeper/process-view.ts';
import type { ConnectionTurn, Source } from './connection-turn.ts';
import { Cursor } from './attachment.ts';
import { giveBack } from './frame-buffers.ts';
import type { EventFrames } from './frames.ts';
import { RecentBytes } from './recent-bytes.ts';

/**
 * Time after sending `FLOOD_BYTES` or more in which output that fills no chunk waits for more: a flood sent in a
 * terminal's pieces of 4 KiB costs several times as much as one in full chunks. An echo, which follows less output, is
 * never delayed.
 */
const FLOOD_MS = 1;
const FLOOD_BYTES = 2048;

export class OwnerFollower implements Source {
  readonly #turn: ConnectionTurn;
  readonly #cursor: Cursor;
  readonly #recent: RecentBytes;
  readonly #frames: EventFrames;
  readonly #hold: Hold;
  readonly #unsubscribe: () => void;
  /** Time at which `FLOOD_BYTES` or more were last sent at once. */
  #muchAtMs = 0;

  /**
   * Begins after the current events; earlier output is not pushed, but can be requested with `process/read`.
   */
  constructor(process: ProcessView, turn: ConnectionTurn, frames: EventFrames) {
    this.#turn = turn;
    this.#cursor = new Cursor(process.log);
    this.#recent = new RecentBytes(this.#cursor);
    this.#frames = frames;
    this.#unsubscribe = process.log.onChange(() => this.#changed());
    this.#hold = process.hold(this.#cursor.nextSeq, this.#cursor.givenBytes);
  }

  /** True when events remain to be sent; a change of the terminal's size counts, too, though it is not sent. */
  get hasMore(): boolean {
    return this.#cursor.hasMore;
  }

  sendNext(): number | null {
    // The unread output follows much output and does not fill a chunk yet, so it waits for more.
    if (this.#mayWait && this.#cursor.unreadBytes > 0) {
      this.#turn.readyLater(this);
      return null;
    }
    let message: string | Buffer | null = null;
    for (let step = this.#cursor.pull(); step; step = this.#cursor.pull()) {
      // The reference has no size events, and an owner never has a gap.
      if (step.kind === 'resized' || step.kind === 'gap') continue;
      if (step.kind === 'output' && step.bytes.length >= FLOOD_BYTES) this.#muchAtMs = performance.now();
      message = this.#frames.of(step);
      if (message !== null) break;
    }
    this.#hold.release(this.#cursor.nextSeq, this.#cursor.givenBytes);
    if (message === null) return null;
    const { length } = message;
    this.#turn.connection.send(message, typeof message === 'string' ? undefined : () => giveBack(message));
    return length;
  }

  bytesSince(round: number): number {
    return this.#recent.bytesSince(round);
  }

  get #mayWait(): boolean {
    return !this.#cursor.hasSealed && performance.now() - this.#muchAtMs < FLOOD_MS;
  }

  #changed(): void {
    if (this.#mayWait) this.#turn.readyLater(this);
    else this.#turn.ready(this);
  }

  stop(): void {
    this.#unsubscribe();
    this.#turn.remove(this);
    this.#hold.close();
  }
}
