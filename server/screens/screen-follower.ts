// One process's screen as seen from the gateway's thread: a cursor on the log that feeds the screens' thread.
import type { Hold, ProcessView } from '../keeper/process-view.ts';
import type { Size } from '../../protocol/scalars.ts';
import { DrawingBudget } from './drawing-budget.ts';
import type { HeldShare } from './held-output.ts';
import type { ToScreens } from './messages.ts';
import { TrimmedState } from './trimmed-state.ts';

export interface FollowerLimits {
  readonly retainedBytes: number;
  readonly retainedEvents: number;
  /** Bytes handed over and not yet drawn, of one screen; beyond it, its log may trim past it. */
  readonly screenUndrawnBytes: number;
  /** Between two looks at whether a terminal is quiet enough to be drawn. */
  readonly screenLookMs: number;
  /** Who prints more is a flood, and drawn when that is over or when it is asked for; what is trimmed till then is missed. */
  readonly screenBytesPerSecond: number;
  readonly screenBurstBytes: number;
}

interface FollowerOptions {
  readonly id: number;
  readonly process: ProcessView;
  readonly limits: FollowerLimits;
  /** Of all screens together. */
  readonly budget: DrawingBudget;
  /** What this one may keep from being trimmed before it is drawn. */
  readonly held: HeldShare;
  readonly say: (message: ToScreens) => void;
}

interface WholeLog {
  readonly seq: number;
  readonly size: Size;
  readonly data: Uint8Array;
  readonly isExact: true;
}

const NOTHING = new Uint8Array();

/** A message to a thread takes with it all of the memory that its bytes are a part of. */
const alone = (bytes: Buffer): Uint8Array =>
  bytes.length < bytes.buffer.byteLength / 2 ? new Uint8Array(bytes) : bytes;

export class ScreenFollower {
  readonly id: number;
  readonly #options: FollowerOptions;
  readonly #ownBudget: DrawingBudget;
  readonly #unsubscribe: () => void;
  readonly #hold: Hold;
  #look: NodeJS.Timeout | null = null;
  /** Null until anything is trimmed. */
  #trimmed: TrimmedState | null = null;
  /** Of all its output, at the last look. */
  #seenBytes = 0;
  /** It has printed more than can be held: until that is over nothing is held for it any more. */
  #isFlood = false;
  /** It was quiet at the last look, which has found more than could be drawn at once. */
  #isDrawnOn = false;
  /** Somebody has looked, and nothing could be drawn for them. */
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
    log.onTrim((bytes) => {
      this.#trimmed ??= new TrimmedState();
      this.#trimmed.take(bytes);
    });
  }

  /** While nothing is trimmed and the size never changed, the log is the snapshot; not when less is asked for. */
  wholeLog(scrollback: number | null): WholeLog | null {
    const { log } = this.#options.process;
    if (this.#isOpen || scrollback !== null) return null;
    log.seal();
    if (log.firstSeq > 1 || log.sizesFrom(1).length > 1) return null;
    const data = log.tail(Number.POSITIVE_INFINITY);
    return { seq: log.nextSeq - 1, size: log.sizeAt(1) ?? this.#size, data, isExact: true };
  }

  /** Feeds what the snapshot is to have; gives the seq that it will have. */
  prepare(isNow: boolean): number {
    const { log } = this.#options.process;
    log.seal();
    // As it was a while ago is as good as it is fed, but for what cannot be read any more.
    this.#skipTrimmed();
    if (isNow) this.#feedAll();
    else if (this.#isFlood) this.#feedWhile(() => true);
    // Whoever goes on reading after it would be too late for what is held only until it is drawn.
    else this.#feedMost();
    if (isNow) this.#resizeTo(log.sizeAt(log.nextSeq));
    return this.#nextSeq - 1;
  }

  /** Feeds what there is, as far as that may be drawn now; whether that is all. */
  draw(): boolean {
    const { log } = this.#options.process;
    log.seal();
    this.#skipTrimmed();
    // Of many floods that are looked at, each has its turn.
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

  /** What was drawn is forgotten. */
  beginAgain(): void {
    this.#isOpen = false;
    this.#nextSeq = 1;
  }

  /** What was drawn is lost, and what was handed over is not drawn any more. */
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
    if (this.#isOpen) this.#options.say({ kind: 'close', screen: this.id });
  }

  #logChanged(): void {
    const { process, limits } = this.#options;
    const { log } = process;
    // Late enough that most processes never need a screen, early enough that nothing is trimmed unseen.
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
    // A flood that somebody has looked at leaves nothing to be drawn, and is over all the same only after a quiet.
    if (isMore || this.#isFlood) this.#look = setTimeout(() => this.#lookAgain(), limits.screenLookMs);
  }

  /** No more output comes, and what is there is not trimmed any more. */
  #finish(): void {
    this.#stopLooking();
    // What was held is little enough to be given at once, and is not held any longer.
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

  /** Feeds down to what is still far from being trimmed, as far as there is room. */
  #feedWhile(may: () => boolean): void {
    while (this.#isBehind && this.#hasRoom && may() && this.#feedNext());
    this.#keep();
  }

  /** The same, room or not. */
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

  /** More is retained and not handed over than is far from being trimmed. */
  get #isBehind(): boolean {
    const { process, limits } = this.#options;
    if (this.#unfedBytes > limits.retainedBytes / 4) return true;
    const { nextSeq, firstSeq } = process.log;
    return nextSeq - Math.max(this.#nextSeq, firstSeq) > limits.retainedEvents / 4;
  }

  /** Retained, and not handed over. */
  get #unfedBytes(): number {
    const { log } = this.#options.process;
    return log.totalBytes - this.#fedOffset();
  }

  /** What is printed at once is waited for, so that it is drawn in peace; what is without end is not. */
  #keep(): void {
    const { process, limits, held } = this.#options;
    const over = this.#isFlood ? 0 : this.#unfedBytes - limits.retainedBytes;
    if (!held.set(Math.max(0, over))) this.#isFlood = true;
    // Little output in many events is not waited for.
    const least = over > 0 ? 0 : process.log.nextSeq - limits.retainedEvents;
    const from = this.#isFlood ? Number.POSITIVE_INFINITY : Math.max(this.#nextSeq, least);
    this.#hold.release(from, Number.POSITIVE_INFINITY);
  }

  /** Otherwise it is tried again when it may. */
  #mayDraw(): boolean {
    return this.#ownBudget.isOpenFor(this.#retry) && this.#options.budget.isOpenFor(this.#retry);
  }

  /** Decoded bytes before the next event. */
  #fedOffset(): number {
    const { log } = this.#options.process;
    return log.offsetAfter(Math.max(this.#nextSeq, log.firstSeq) - 1);
  }

  /** False when there is nothing left. */
  #feedNext(): boolean {
    const { process, say, budget } = this.#options;
    this.#skipTrimmed();
    const event = process.log.at(this.#nextSeq);
    if (!event) return false;
    this.#resizeTo(process.log.sizeAt(this.#nextSeq));
    this.#nextSeq += 1;
    if (event.kind === 'output') {
      this.#undrawnBytes += event.bytes.length;
      budget.take(event.bytes.length);
      this.#ownBudget.take(event.bytes.length);
      say({ kind: 'feed', screen: this.id, bytes: alone(event.bytes) });
    }
    return true;
  }

  #skipTrimmed(): void {
    this.#open();
    const { log } = this.#options.process;
    if (this.#nextSeq >= log.firstSeq) return;
    this.#nextSeq = log.firstSeq;
    // First, since a change of size gives up a region, which may be of that state.
    this.#resizeTo(log.sizeAt(this.#nextSeq));
    const state = this.#trimmed?.sequence ?? NOTHING;
    this.#options.say({ kind: 'gap', screen: this.id, state });
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#options.say({ kind: 'open', screen: this.id, size: this.#size });
  }

  #resizeTo(size: Size | undefined): void {
    if (!size || (size.rows === this.#size.rows && size.cols === this.#size.cols)) return;
    this.#size = { rows: size.rows, cols: size.cols };
    this.#options.say({ kind: 'resize', screen: this.id, size: this.#size });
  }
}
