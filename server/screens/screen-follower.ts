// One process's screen on the gateway's main thread: reads the log and feeds the screens' worker thread.
import type { Hold, ProcessView } from '../keeper/process-view.ts';
import type { Size } from '../../protocol/scalars.ts';
import { DrawingBudget } from './drawing-budget.ts';
import { redacted } from '../delivery/redacted-log.ts';
import type { HeldShare } from './held-output.ts';
import type { ToScreens } from './messages.ts';
import type { Evicted } from './evicted.ts';

export interface FollowerLimits {
  readonly retainedBytes: number;
  readonly retainedEvents: number;
  /** Maximum bytes of one screen that were sent but not drawn; beyond it, sending waits, and events may be evicted. */
  readonly screenUndrawnBytes: number;
  /** Interval between checks of whether a terminal is idle enough to be drawn. */
  readonly screenLookMs: number;
  /**
   * Rate above which output is a flood, drawn when the flood is over or the screen is requested; events that
   * are evicted before that are skipped.
   */
  readonly screenBytesPerSecond: number;
  readonly screenBurstBytes: number;
}

export interface FollowerOptions {
  readonly id: number;
  readonly process: ProcessView;
  /** Settings of evicted output; the screens of one process share them. */
  readonly evicted: Evicted;
  /** True for a screen that draws the output with secrets masked. */
  readonly isRedacted: boolean;
  readonly limits: FollowerLimits;
  /** Budget shared by all screens. */
  readonly budget: DrawingBudget;
  /** This screen's share of the output that is not evicted until it is drawn. */
  readonly held: HeldShare;
  readonly send: (message: ToScreens) => void;
}

interface WholeLog {
  readonly seq: number;
  readonly size: Size;
  readonly data: Uint8Array;
  readonly isExact: true;
}

/** Copies bytes that are a small part of their buffer, because a message to a thread would copy the whole buffer. */
const alone = (bytes: Buffer): Uint8Array =>
  bytes.length < bytes.buffer.byteLength / 2 ? new Uint8Array(bytes) : bytes;

export class ScreenFollower {
  readonly id: number;
  readonly #options: FollowerOptions;
  readonly #ownBudget: DrawingBudget;
  readonly #unsubscribe: () => void;
  readonly #hold: Hold;
  #look: NodeJS.Timeout | null = null;
  /** Total bytes of output at the last check. */
  #seenBytes = 0;
  /** True when more was printed than can be held; nothing is held again until the flood is over. */
  #isFlood = false;
  /** True when the last check found the process idle, but with too much output to draw at once. */
  #isDrawnOn = false;
  /** True when a picture was requested, but the drawing budget was used up. */
  #isLookedAt = false;
  #isOpen = false;
  #nextSeq = 1;
  #size: Size;
  #undrawnBytes = 0;
  readonly #retry = (): void => this.#feedAgain();

  constructor(options: FollowerOptions) {
    this.id = options.id;
    this.#options = options;
    const { screenBytesPerSecond: bytesPerSecond, screenBurstBytes: burstBytes } = options.limits;
    this.#ownBudget = new DrawingBudget({ bytesPerSecond, burstBytes });
    this.#size = options.process.log.sizeAt(1) ?? { rows: 24, cols: 80 };
    const { log } = options.process;
    this.#unsubscribe = log.onChange(() => this.#logChanged());
    this.#hold = options.process.hold(this.#nextSeq, Number.POSITIVE_INFINITY);
  }

  /**
   * Returns the log as the snapshot while no screen has been opened, nothing is evicted and the size never changed.
   * Returns null otherwise, and when `scrollback` limits the lines.
   */
  wholeLog(scrollback: number | null): WholeLog | null {
    const { process, isRedacted } = this.#options;
    const { log } = process;
    if (this.#isOpen || scrollback !== null) return null;
    log.seal();
    if (log.retainedBytes < log.totalBytes || log.firstSeq > 1 || log.sizesFrom(1).length > 1) return null;
    const data = (isRedacted ? redacted(log) : log).tail(Number.POSITIVE_INFINITY);
    return { seq: log.nextSeq - 1, size: log.sizeAt(1) ?? this.#size, data, isExact: true };
  }

  /**
   * Feeds the output that the snapshot should contain (with `isNow`, all of it); returns the snapshot's seq.
   */
  prepare(isNow: boolean): number {
    const { log } = this.#options.process;
    log.seal();
    // A snapshot may lack new output, but all events after it must be retained, so evicted ones are skipped.
    this.#skipMissing();
    if (isNow) this.#feedAll();
    else if (this.#isFlood) this.#feedWhile(() => true);
    // Output close to eviction is fed whatever the budget, because held events may be evicted once they are
    // drawn, before the reader of the snapshot needs them.
    else this.#feedMost();
    if (isNow) this.#resizeTo(log.sizeAt(log.nextSeq));
    return this.#nextSeq - 1;
  }

  /** Feeds as much output as may be drawn now; returns true when none is left. */
  draw(): boolean {
    const { log } = this.#options.process;
    log.seal();
    this.#skipMissing();
    // A requested flood is drawn at the next retry when the drawing budget is used up.
    this.#isLookedAt = !this.#mayDraw();
    while (this.#hasRoom && this.#mayDraw() && this.#feedNext());
    this.#resizeTo(log.sizeAt(this.#nextSeq));
    return this.#unfedBytes === 0;
  }

  fed(bytes: number): void {
    this.#undrawnBytes -= bytes;
    if (this.#isDrawnOn) this.#feed();
  }

  #feedAgain(): void {
    if (this.#isLookedAt) this.draw();
    else if (this.#isDrawnOn) this.#feed();
  }

  /** Starts over at the retained output after the thread has dropped the screen. */
  beginAgain(): void {
    this.#isOpen = false;
    this.#nextSeq = 1;
  }

  /** Starts over after the thread has died and output in flight was lost. */
  restart(): void {
    this.beginAgain();
    this.#undrawnBytes = 0;
  }

  stop(): void {
    this.#unsubscribe();
    this.#stopLooking();
    this.#hold.close();
    this.#options.held.set(0);
    this.#options.budget.forget(this.#retry);
    this.#ownBudget.close();
    if (this.#isOpen) this.#options.send({ kind: 'close', screen: this.id });
  }

  #logChanged(): void {
    const { process, limits } = this.#options;
    const { log } = process;
    // The threshold is high enough that most processes never need a screen, and low enough that output, except a flood,
    // is drawn before it is evicted.
    const isFarFromLimit =
      log.retainedBytes < limits.retainedBytes / 2 && log.nextSeq - log.firstSeq < limits.retainedEvents / 2;
    if (isFarFromLimit) {
      if (log.closedSeq !== null) this.#hold.close();
      return;
    }
    this.#keep();
    if (log.closedSeq !== null) this.#finish();
    else this.#look ??= setTimeout(() => this.#lookAgain(), limits.screenLookMs);
  }

  #lookAgain(): void {
    this.#look = null;
    const { process, limits } = this.#options;
    const printed = process.log.totalBytes - this.#seenBytes;
    this.#seenBytes += printed;
    const isQuiet = printed <= (limits.screenBytesPerSecond * limits.screenLookMs) / 1000;
    if (isQuiet) {
      this.#isFlood = false;
      this.#feed();
    }
    const isMore = this.#isBehind;
    this.#isDrawnOn = isQuiet && isMore;
    // A flood that was drawn on request has no output left, but is over only after an idle period.
    if (isMore || this.#isFlood) this.#look = setTimeout(() => this.#lookAgain(), limits.screenLookMs);
  }

  /** Ends the checks of a closed process, because nothing more of its output is evicted. */
  #finish(): void {
    this.#stopLooking();
    // Held output is small enough to be sent at once, and need not be held afterwards.
    if (!this.#isFlood) this.#feedMost();
    this.#hold.close();
    this.#options.held.set(0);
  }

  #stopLooking(): void {
    if (this.#look) clearTimeout(this.#look);
    this.#look = null;
  }

  #feed(): void {
    this.#feedWhile(() => this.#mayDraw());
  }

  /** Feeds until the rest is far from eviction, while `may` returns true. */
  #feedWhile(may: () => boolean): void {
    while (this.#isBehind && this.#hasRoom && may() && this.#feedNext());
    this.#keep();
  }

  /** Feeds until the rest is far from eviction, whatever the limits. */
  #feedMost(): void {
    while (this.#isBehind && this.#feedNext());
    this.#keep();
  }

  #feedAll(): void {
    while (this.#unfedBytes > 0 && this.#feedNext());
    this.#keep();
  }

  get #hasRoom(): boolean {
    return this.#undrawnBytes < this.#options.limits.screenUndrawnBytes;
  }

  /** True when retained output that was not sent may soon be evicted. */
  get #isBehind(): boolean {
    const { process, limits } = this.#options;
    if (this.#unfedBytes > limits.retainedBytes / 4) return true;
    const { nextSeq, firstSeq } = process.log;
    return nextSeq - Math.max(this.#nextSeq, firstSeq) > limits.retainedEvents / 4;
  }

  /** Bytes that are retained but not sent. */
  get #unfedBytes(): number {
    const { log } = this.#options.process;
    return log.totalBytes - this.#fedOffset();
  }

  /** Holds a burst until it can be drawn later, but not an endless flood. */
  #keep(): void {
    const { process, limits, held } = this.#options;
    const over = this.#isFlood ? 0 : this.#unfedBytes - limits.retainedBytes;
    if (!held.set(Math.max(0, over))) this.#isFlood = true;
    // Many events with little output may be evicted beyond `retainedEvents`.
    const least = over > 0 ? 0 : process.log.nextSeq - limits.retainedEvents;
    const from = this.#isFlood ? Number.POSITIVE_INFINITY : Math.max(this.#nextSeq, least);
    this.#hold.release(from, Number.POSITIVE_INFINITY);
  }

  /** Returns false when a budget is used up, or other screens come first; drawing is then retried later. */
  #mayDraw(): boolean {
    return this.#ownBudget.isOpenFor(this.#retry) && this.#options.budget.isOpenFor(this.#retry);
  }

  /** Returns the number of decoded bytes before the next event to be sent. */
  #fedOffset(): number {
    const { log } = this.#options.process;
    return log.offsetAfter(Math.max(this.#nextSeq, log.firstSeq) - 1);
  }

  /** Feeds the next event; returns false when none is left. */
  #feedNext(): boolean {
    const { process, isRedacted, send, budget } = this.#options;
    this.#skipMissing();
    const event = process.log.at(this.#nextSeq);
    if (!event) return false;
    this.#resizeTo(process.log.sizeAt(this.#nextSeq));
    this.#nextSeq += 1;
    if (event.kind === 'output') {
      this.#undrawnBytes += event.bytes.length;
      budget.take(event.bytes.length);
      this.#ownBudget.take(event.bytes.length);
      const { bytes } = isRedacted ? redacted(process.log).see(event) : event;
      send({ kind: 'feed', screen: this.id, bytes: alone(bytes) });
    }
    return true;
  }

  #skipMissing(): void {
    this.#open();
    const { log } = this.#options.process;
    const retained = log.nextRetained(this.#nextSeq);
    if (this.#nextSeq === retained) return;
    this.#nextSeq = retained;
    // Resizes first, because that resets the scroll region, which the state sent below may set.
    this.#resizeTo(log.sizeAt(this.#nextSeq));
    const state = this.#options.evicted.sequence;
    this.#options.send({ kind: 'gap', screen: this.id, state });
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#options.send({ kind: 'open', screen: this.id, size: this.#size });
  }

  #resizeTo(size: Size | undefined): void {
    if (!size || (size.rows === this.#size.rows && size.cols === this.#size.cols)) return;
    this.#size = { rows: size.rows, cols: size.cols };
    this.#options.send({ kind: 'resize', screen: this.id, size: this.#size });
  }
}
