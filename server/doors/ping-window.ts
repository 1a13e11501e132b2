// Limits the bytes in flight to a peer, whose replies to pings among the messages show how much it has read.
import type { SendWindow } from '../rpc/channel.ts';
import { WindowSize, type WindowSizeLimits } from './window-size.ts';

export interface PingWindowLimits extends WindowSizeLimits {
  readonly windowSilenceMs: number;
  readonly windowWayMs: number;
}

export interface PingWindowEvents {
  /** Sends a ping, queued behind all bytes sent so far. */
  onPing(payload: Buffer): void;
  /**
   * Called when a full window may have room again, and also while it stays full, since sources with little output may
   * send in each new round.
   */
  onOpen(): void;
}

interface Ping {
  /** Total bytes sent before the ping. */
  readonly offset: number;
  /** Bytes before the ping that the peer was not known to have read. */
  readonly unread: number;
  readonly sentAtMs: number;
  readonly round: number;
  /** True when the flood was paused to measure the round-trip time. */
  readonly isMeasuring: boolean;
  /** True when the flood was paused and almost nothing was in flight before the ping. */
  readonly isAlone: boolean;
}

/** Size of a ping's number, large enough for any connection; heartbeat pings have no payload. */
const PAYLOAD_BYTES = 6;
/** Bytes before a ping below which they do not affect the measured round-trip time. */
const ALONE_BYTES = 4096;
/**
 * Maximum number of unanswered pings, well below the 60 pending replies with which a common client library closes a
 * connection.
 */
const MOST_UNANSWERED = 32;

/**
 * The kernel buffers megabytes that the peer has not read, and later messages queue behind them, so bytes in flight
 * are limited. The window waits once for a peer that replies to no pings, and then stays open.
 */
export class PingWindow implements SendWindow {
  readonly #limits: PingWindowLimits;
  readonly #events: PingWindowEvents;
  readonly #size: WindowSize;
  #sent = 0;
  #read = 0;
  /** Unanswered pings in order; the first has the number `#firstNumber`. */
  #unanswered: Ping[] = [];
  #firstNumber = 0;
  #pingedOffset = 0;
  #round = 0;
  #wasUsedUp = false;
  /** Bytes read before this round began, and its start time. */
  #roundOffset = 0;
  #roundAtMs = 0;
  /** True when the peer has not replied for too long, so that the window stays open until the next reply. */
  #isIgnored = false;
  /** True while floods are paused until almost nothing but a ping is in flight, which measures the round-trip time. */
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

  sent(bytes: number): void {
    const wasFull = this.isFull;
    this.#sent += bytes;
    this.#pingWhenDue();
    if (wasFull || !this.isFull) return;
    this.#wasUsedUp = true;
    this.#waitsSinceMs = performance.now();
    this.#watchSilence();
  }

  /** Handles a pong; ignores a payload that is not the number of an unanswered ping. */
  answered(payload: Buffer): void {
    if (payload.length !== PAYLOAD_BYTES) return;
    const at = payload.readUIntBE(0, PAYLOAD_BYTES) - this.#firstNumber;
    const ping = this.#unanswered[at];
    if (!ping) return;
    const wasFull = this.isFull;
    // RFC 6455 allows a peer to reply to the last of several pings alone, so earlier pings count as answered.
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
    // The first ping has only the first message before it, and measures the round-trip time.
    const isFirst = this.#firstNumber + unanswered === 0;
    const isDue = this.#sent - this.#pingedOffset >= this.#size.pingBytes;
    // A sender that waits for room needs a ping to continue.
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

  /**
   * Starts the timer for a silent peer, which runs while the window is full. Every reply restarts it, except while
   * the round-trip time is measured, so that the measurement times out, too.
   */
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
      // A connection that is always busy has no ping alone in flight, so the shortest sample is used instead.
      this.#isIgnored = !(this.#isMeasuringWay && this.#size.takeShortestWay());
      this.#endMeasuringWay(nowMs);
      if (this.isFull) this.#watchSilence();
      else this.#events.onOpen();
    }, untilMs - performance.now());
  }
}
