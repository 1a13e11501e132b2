// What is on its way to a peer and not read yet: pings among the messages say how far it has come, and how much may follow.
import type { SendWindow } from '../rpc/channel.ts';
import { WindowSize, type WindowSizeLimits } from './window-size.ts';

export interface PingWindowLimits extends WindowSizeLimits {
  readonly windowSilenceMs: number;
  readonly windowWayMs: number;
}

export interface PingWindowEvents {
  /** To be sent behind all that was sent before. */
  onPing(payload: Buffer): void;
  /** More may follow, after it was full. */
  onOpen(): void;
}

interface Ping {
  /** Bytes sent before it, since the beginning, … */
  readonly offset: number;
  /** … and those of them that the peer was not known to have read. */
  readonly unread: number;
  readonly sentAtMs: number;
  readonly round: number;
  /** No flood follows any more, only what does not wait; … */
  readonly isMeasuring: boolean;
  /** … and as good as nothing was on the way before it. */
  readonly isAlone: boolean;
}

/** Its number, big enough for any connection; the pings that ask whether a peer is there have no payload. */
const PAYLOAD_BYTES = 6;
/** So few do not change what is measured. */
const ALONE_BYTES = 4096;
/**
 * Without an answer no more than these are sent: a peer that stands still answers the last of them one day, and the client
 * library of many gives a connection up of which it has 60 to answer at once.
 */
const MOST_UNANSWERED = 32;

/**
 * The kernel takes megabytes that the peer has not read, and what is sent next comes behind them. A peer that answers no
 * pings is waited for once, and then served as fast as the kernel takes it.
 */
export class PingWindow implements SendWindow {
  readonly #limits: PingWindowLimits;
  readonly #events: PingWindowEvents;
  readonly #size: WindowSize;
  #sent = 0;
  #read = 0;
  /** In order; the first has the number `#firstNumber`. */
  #unanswered: Ping[] = [];
  #firstNumber = 0;
  #pingedOffset = 0;
  #round = 0;
  #wasUsedUp = false;
  /** What was read before this round began, and when that was. */
  #roundOffset = 0;
  #roundAtMs = 0;
  /** The peer has not answered for too long. */
  #isIgnored = false;
  /** Nothing follows until there is nothing on the way but a ping, which measures it. */
  #isMeasuringWay = false;
  #wayAtMs = 0;
  #waitsSinceMs = 0;
  #silence: NodeJS.Timeout | null = null;

  constructor(limits: PingWindowLimits, events: PingWindowEvents) {
    this.#limits = limits;
    this.#events = events;
    this.#size = new WindowSize(limits);
  }

  get isFull(): boolean {
    return !this.#isIgnored && (this.#isMeasuringWay || this.#isUsedUp);
  }

  get round(): number {
    return this.#round;
  }

  /** So many bytes more were sent. */
  sent(bytes: number): void {
    const wasFull = this.isFull;
    this.#sent += bytes;
    this.#pingWhenDue();
    if (wasFull || !this.isFull) return;
    this.#wasUsedUp = true;
    this.#waitsSinceMs = performance.now();
    this.#watchSilence();
  }

  /** A pong; whatever it holds. */
  answered(payload: Buffer): void {
    if (payload.length !== PAYLOAD_BYTES) return;
    const at = payload.readUIntBE(0, PAYLOAD_BYTES) - this.#firstNumber;
    const ping = this.#unanswered[at];
    if (!ping) return;
    const wasFull = this.isFull;
    // A peer may answer only the last of several.
    this.#unanswered = this.#unanswered.slice(at + 1);
    this.#firstNumber += at + 1;
    this.#read = ping.offset;
    this.#isIgnored = false;
    this.#measure(ping);
    this.#pingWhenDue();
    this.#watchSilence();
    if (wasFull) this.#events.onOpen();
  }

  close(): void {
    if (this.#silence) clearTimeout(this.#silence);
    this.#silence = null;
  }

  get #unread(): number {
    return this.#sent - this.#read;
  }

  get #isUsedUp(): boolean {
    return this.#unread >= this.#size.bytes;
  }

  #measure(ping: Ping): void {
    const nowMs = performance.now();
    const ms = nowMs - ping.sentAtMs;
    if (!this.#isMeasuringWay) this.#waitsSinceMs = nowMs;
    if (ping.isAlone) {
      if (this.#size.measureWay(ms)) this.#endMeasuringWay(nowMs);
    } else {
      if (ping.isMeasuring) this.#size.measureCrowdedWay(ms);
      if (this.#size.measure({ bytes: ping.unread, ms })) this.#endMeasuringWay(nowMs);
      else if (nowMs - this.#wayAtMs > this.#limits.windowWayMs) this.#isMeasuringWay = true;
    }
    if (ping.round < this.#round) return;
    this.#round += 1;
    this.#size.endRound({
      wasUsedUp: this.#wasUsedUp,
      bytes: ping.offset - this.#roundOffset,
      ms: nowMs - this.#roundAtMs,
    });
    this.#wasUsedUp = this.#isUsedUp;
    this.#roundOffset = ping.offset;
    this.#roundAtMs = nowMs;
  }

  #endMeasuringWay(nowMs: number): void {
    this.#isMeasuringWay = false;
    this.#size.endMeasuringWay();
    this.#wayAtMs = nowMs;
    this.#waitsSinceMs = nowMs;
  }

  #pingWhenDue(): void {
    const unanswered = this.#unanswered.length;
    if (unanswered >= MOST_UNANSWERED) return;
    // The first has hardly anything before it, and tells how long the way is.
    const isFirst = this.#firstNumber + unanswered === 0;
    const isDue = this.#sent - this.#pingedOffset >= this.#size.pingBytes;
    // Whoever waits for room must be told of it.
    const isAwaited = this.isFull && unanswered === 0;
    if (!isFirst && !isDue && !isAwaited) return;
    this.#unanswered.push({
      offset: this.#sent,
      unread: this.#unread,
      sentAtMs: performance.now(),
      round: this.#round,
      isMeasuring: this.#isMeasuringWay,
      isAlone: this.#isMeasuringWay && unanswered === 0 && this.#unread < ALONE_BYTES,
    });
    this.#pingedOffset = this.#sent;
    const payload = Buffer.alloc(PAYLOAD_BYTES);
    payload.writeUIntBE(this.#firstNumber + unanswered, 0, PAYLOAD_BYTES);
    this.#events.onPing(payload);
  }

  /** While it is full; begins again with every answer but for the measuring of the way, which must end, too. */
  #watchSilence(): void {
    if (this.#silence || !this.isFull) return;
    const untilMs = this.#waitsSinceMs + this.#limits.windowSilenceMs;
    this.#silence = setTimeout(() => {
      this.#silence = null;
      const nowMs = performance.now();
      if (!this.isFull) return;
      if (this.#waitsSinceMs + this.#limits.windowSilenceMs > nowMs) {
        this.#watchSilence();
        return;
      }
      // On a connection that is never quiet the way is never alone either.
      this.#isIgnored = !(this.#isMeasuringWay && this.#size.takeShortestWay());
      this.#endMeasuringWay(nowMs);
      if (this.isFull) this.#watchSilence();
      else this.#events.onOpen();
    }, untilMs - performance.now());
  }
}
