// Follows one process by key, with credit: for a watcher, or for the controller.
import type { SizeMark } from '../../protocol/console.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import { afterPatience } from '../host/patience.ts';
import type { Hold, LogView, ProcessView } from '../keeper/process-view.ts';
import type { Connection } from '../rpc/connection.ts';
import type { ConnectionTurn, Source } from './connection-turn.ts';
import { Credit } from './credit.ts';
import { Frames, type Gap, type Step } from './frames.ts';
import { giveBack } from './frame-buffers.ts';
import { RecentBytes } from './recent-bytes.ts';
import type { WatchersTurn } from './watchers-turn.ts';

export interface AttachmentLimits {
  readonly chunkBytes: number;
  readonly watcherHighWaterBytes: number;
  readonly windowPassingBytes: number;
  readonly attachWindowChunks: number;
  readonly ackTimeoutMs: number;
}

/** Messages by the `processId` that their receivers see, and by step, so that followers of one process share them. */
export type Built = Map<string, Map<Step, string | Buffer>>;

export interface AttachmentOptions {
  readonly process: ProcessView;
  /** The `processId` as this follower may see it. */
  readonly processId: string;
  readonly connection: Connection;
  readonly connectionTurn: ConnectionTurn;
  readonly watchersTurn: WatchersTurn;
  readonly windowBytes: number;
  /** Seq of the event after which to begin; default: that of the newest event. */
  readonly afterSeq?: number;
  readonly limits: AttachmentLimits;
  /**
   * Returns the chunk as this follower may see it, with the same length. Followers with the same rights get the same
   * object.
   */
  readonly seen: (chunk: OutputEvent) => OutputEvent;
}

/**
 * A follower with credit. Watchers share one turn, and the process does not wait for them. The controller of a console
 * process is served at once, like an owner, and the process waits for it until it stops acknowledging.
 */
export class Attachment implements Source {
  readonly process: ProcessView;
  readonly #options: AttachmentOptions;
  readonly #cursor: Cursor;
  readonly #recent: RecentBytes;
  readonly #frames: Frames;
  readonly #credit: Credit;
  readonly #offDrain: () => void;
  /** True for the controller's attachment, for which the process should wait. */
  #holds = false;
  /** State while the process waits: its hold, and the function that stops serving the controller like an owner. */
  #held: { readonly hold: Hold; readonly end: () => void } | null = null;
  /** True after the controller stopped acknowledging; the process waits again once everything is acknowledged. */
  #hasLapsed = false;
  /** True when the attachment missed its turn because too much is in flight to its peer. */
  #waitsForWindow = false;
  /** Cancels the timeout of the awaited ack; null while no ack is awaited. */
  #stopWaiting: (() => void) | null = null;
  readonly nextSeq: number;
  /** Decoded bytes of all output before `nextSeq`. */
  readonly offset: number;

  constructor(options: AttachmentOptions) {
    const { process, processId, connection, watchersTurn, windowBytes, limits } = options;
    this.process = process;
    this.#options = options;
    this.#cursor = new Cursor(process.log, options.afterSeq);
    this.#recent = new RecentBytes(this.#cursor);
    this.#frames = new Frames({ key: process.key, processId });
    this.#credit = new Credit({
      windowBytes,
      windowChunks: limits.attachWindowChunks,
      chunkBytes: limits.chunkBytes,
    });
    this.nextSeq = process.log.nextSeq;
    this.offset = process.log.sealedBytes;
    this.#offDrain = connection.onDrain(() => this.#drained());
    watchersTurn.join(this);
  }

  /**
   * True when credit is left and the connection can take more; otherwise the attachment notifies its turn
   * later.
   */
  get canTakeMore(): boolean {
    const { connection, limits } = this.#options;
    const { unsentBytes, window } = connection.channel;
    if (!this.#credit.isLeft || unsentBytes >= limits.watcherHighWaterBytes) return false;
    this.#waitsForWindow =
      window?.isFull === true && this.bytesSince(window.round) > limits.windowPassingBytes;
    return !this.#waitsForWindow;
  }

  bytesSince(round: number): number {
    return this.#recent.bytesSince(round);
  }

  /** True when the unsent output is too little to count as a flood. */
  get hasLittle(): boolean {
    return this.#cursor.unreadBytes <= this.#options.limits.windowPassingBytes;
  }

  sendNext(): number | null {
    const step = this.pull();
    if (!step) return null;
    const message = this.#frames.of(step);
    this.#options.connection.send(message, typeof message === 'string' ? undefined : () => giveBack(message));
    return message.length;
  }

  /**
   * Sends the next step, and after a gap also the step that follows it; returns false, and sends nothing, without
   * credit or without a step. `built`: messages already built for other attachments, to which new ones are added.
   */
  sendShared(built: Built): boolean {
    const step = this.pull();
    if (!step) return false;
    if (step.kind !== 'gap') {
      this.send(step, built);
      return true;
    }
    // The step after the gap would be evicted in a flood before this watcher's next turn, so the
    // watcher would get only gaps.
    this.batch(() => {
      this.send(step, built);
      const behind = this.pull();
      if (behind) this.send(behind, built);
    });
    return true;
  }

  /**
   * Returns the next step as this follower may see it, and charges output to the credit; null without credit
   * or without a step.
   */
  pull(): Step | null {
    if (!this.#credit.isLeft) return null;
    const step = this.#cursor.pull();
    if (step?.kind === 'output') {
      this.#credit.spend(step.seq, step.bytes.length);
      this.#expectAck();
    }
    if (step?.kind === 'gap') this.#options.watchersTurn.missedBytes += step.bytes;
    const seen = step?.kind === 'output' ? this.#options.seen(step) : step;
    this.#held?.hold.release(this.#cursor.nextSeq, this.#cursor.givenBytes);
    return seen;
  }

  send(step: Step, built: Built): number {
    const { processId } = this.#options;
    const alike = built.get(processId) ?? new Map<Step, string | Buffer>();
    built.set(processId, alike);
    const message = alike.get(step) ?? this.#frames.of(step);
    alike.set(step, message);
    this.#options.connection.send(message);
    return message.length;
  }

  /** Runs `work`, and sends all its messages with as few system calls as possible. */
  batch(work: () => void): void {
    this.#options.connection.channel.batch(work);
  }

  acknowledge(seq: number): void {
    // An ack that covers nothing new does not show that output is being drawn.
    if (!this.#credit.acknowledge(seq)) return;
    this.#expectNoAck();
    if (!this.#credit.isUntouched) {
      this.#expectAck();
    } else {
      this.#hasLapsed = false;
      if (this.#holds) this.#hold();
    }
    this.#wake();
  }

  /**
   * Makes the process wait for this attachment, or stops that; after a timeout, the wait resumes only once everything
   * sent is acknowledged.
   */
  setHolding(holds: boolean): void {
    this.#holds = holds;
    if (holds) this.#hold();
    else this.#letGo();
  }

  stop(): void {
    this.#holds = false;
    this.#letGo();
    this.#options.watchersTurn.leave(this);
    this.#offDrain();
  }

  #drained(): void {
    if (!this.#waitsForWindow || this.#held) {
      this.#wake();
      return;
    }
    this.#waitsForWindow = false;
    this.#options.watchersTurn.opened(this);
  }

  /** Notifies the turn that serves this attachment that it may be able to continue. */
  #wake(): void {
    if (this.#held) this.#options.connectionTurn.ready(this);
    else this.#options.watchersTurn.ready(this);
  }

  #hold(): void {
    if (this.#held || this.#hasLapsed) return;
    const { connectionTurn, watchersTurn } = this.#options;
    watchersTurn.leave(this);
    const unsubscribe = this.process.log.onChange(() => {
      connectionTurn.ready(this);
      this.#expectAck();
    });
    const hold = this.process.hold(this.#cursor.nextSeq, this.#cursor.givenBytes);
    const end = (): void => {
      unsubscribe();
      hold.close();
      connectionTurn.remove(this);
    };
    this.#held = { hold, end };
    connectionTurn.ready(this);
    this.#expectAck();
  }

  #letGo(): void {
    this.#expectNoAck();
    if (!this.#held) return;
    this.#held.end();
    this.#held = null;
    this.#options.watchersTurn.join(this);
  }

  /**
   * A background tab must not stall a build, so the process stops waiting after a while without an ack, even
   * if the connection accepts no output that could be acknowledged.
   */
  #expectAck(): void {
    if (!this.#held || this.#stopWaiting) return;
    if (this.#credit.isUntouched && this.#cursor.unreadBytes === 0) return;
    this.#stopWaiting = afterPatience(this.#options.limits.ackTimeoutMs, () => {
      this.#hasLapsed = true;
      this.#letGo();
    });
  }

  #expectNoAck(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
  }
}

/**
 * A reader's position in an event log: it gets each event once and in order, or the number of bytes that were skipped.
 */
export class Cursor {
  readonly #log: LogView;
  /** Seq of the next event to read. */
  #next: number;
  /** Decoded bytes before the next event. */
  #offset: number;
  #mark: SizeMark | undefined;

  /** Begins after event `afterSeq`; by default after the newest event. */
  constructor(log: LogView, afterSeq?: number) {
    log.seal();
    this.#log = log;
    this.#next = Math.min(afterSeq ?? log.nextSeq - 1, log.nextSeq - 1) + 1;
    this.#offset = log.offsetAfter(this.#next - 1);
    this.#mark = this.#currentMark();
  }

  get nextSeq(): number {
    return this.#next;
  }

  /** Decoded bytes before the position: read, skipped, or older than the cursor. */
  get givenBytes(): number {
    return this.#offset;
  }

  /** Decoded bytes that were printed and not read by this cursor. */
  get unreadBytes(): number {
    return this.#log.totalBytes - this.#offset;
  }

  /** True when the next event is sealed: it has its seq, and no more output is added to it. */
  get hasSealed(): boolean {
    return this.#next < this.#log.nextSeq;
  }

  get hasMore(): boolean {
    return this.hasSealed || this.unreadBytes > 0 || this.#currentMark() !== this.#mark;
  }

  /** Returns the next step, or null if there is none; seals pending output when nothing else is left. */
  pull(): Step | null {
    if (this.#next >= this.#log.nextSeq) this.#log.seal();
    const retained = this.#log.nextRetained(this.#next);
    if (this.#next < retained) return this.#skipTo(retained);
    const mark = this.#currentMark();
    if (mark && mark !== this.#mark) {
      this.#mark = mark;
      return { kind: 'resized', mark };
    }
    const event = this.#log.at(this.#next);
    if (!event) return null;
    this.#next += 1;
    this.#offset = event.kind === 'output' ? event.offset + event.bytes.length : event.offset;
    return event;
  }

  #skipTo(seq: number): Gap {
    const offset = this.#log.offsetAfter(seq - 1);
    const gap: Gap = { kind: 'gap', afterSeq: this.#next - 1, nextSeq: seq, bytes: offset - this.#offset };
    this.#next = seq;
    this.#offset = offset;
    return gap;
  }

  /** Returns the last size set before the next event. */
  #currentMark(): SizeMark | undefined {
    return this.#log.sizeAt(this.#next);
  }
}
