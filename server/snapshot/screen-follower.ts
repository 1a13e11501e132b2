// One process's screen as seen from the gateway's thread: a cursor on the log that feeds the screens' thread.
import type { Process } from '../process/process.ts';
import type { Size } from '../protocol/scalars.ts';
import { DrawingBudget } from './drawing-budget.ts';
import type { ToScreens } from './messages.ts';

export interface FollowerLimits {
  readonly retainedBytes: number;
  /** Bytes handed over and not yet drawn, of one screen; beyond it, its log may trim past it. */
  readonly screenUndrawnBytes: number;
  /** What is drawn of one flood; what is not is missed, and said to be. */
  readonly screenBytesPerSecond: number;
  readonly screenBurstBytes: number;
}

interface FollowerOptions {
  readonly id: number;
  readonly process: Process;
  readonly limits: FollowerLimits;
  /** Of all screens together. */
  readonly budget: DrawingBudget;
  readonly say: (message: ToScreens) => void;
}

interface WholeLog {
  readonly seq: number;
  readonly size: Size;
  readonly data: Uint8Array;
  readonly isExact: true;
}

export class ScreenFollower {
  readonly id: number;
  readonly #options: FollowerOptions;
  readonly #ownBudget: DrawingBudget;
  readonly #unsubscribe: () => void;
  #isOpen = false;
  #nextSeq = 1;
  #size: Size;
  #undrawnBytes = 0;
  readonly #draw = (): void => this.#logChanged();

  constructor(options: FollowerOptions) {
    this.id = options.id;
    this.#options = options;
    const { screenBytesPerSecond: bytesPerSecond, screenBurstBytes: burstBytes } = options.limits;
    this.#ownBudget = new DrawingBudget({ bytesPerSecond, burstBytes });
    this.#size = options.process.log.sizeAt(1) ?? { rows: 24, cols: 80 };
    this.#unsubscribe = options.process.log.onChange(this.#draw);
  }

  /** While nothing is trimmed and the size never changed, the log is the snapshot; not when less is asked for. */
  wholeLog(scrollback: number | null): WholeLog | null {
    const { log } = this.#options.process;
    if (this.#isOpen || scrollback !== null) return null;
    log.seal();
    if (log.firstSeq > 1 || log.sizesFrom(1).length > 1) return null;
    const data = log.tail(Number.POSITIVE_INFINITY);
    return { seq: log.nextSeq - 1, size: this.#size, data, isExact: true };
  }

  /** Feeds what the snapshot is to have; gives the seq that it will have. */
  prepare(isNow: boolean): number {
    const { log } = this.#options.process;
    log.seal();
    // As it was a while ago is as good as it is fed, but for what cannot be read any more.
    this.#skipTrimmed();
    if (isNow) {
      while (this.#feedNext());
      this.#resizeTo(log.sizeAt(log.nextSeq));
    }
    return this.#nextSeq - 1;
  }

  /** Feeds all there is, as far as that may be drawn now. */
  draw(): void {
    const { process, limits } = this.#options;
    process.log.seal();
    this.#skipTrimmed();
    while (this.#undrawnBytes < limits.screenUndrawnBytes && this.#mayDraw() && this.#feedNext());
    this.#resizeTo(process.log.sizeAt(this.#nextSeq));
  }

  fed(bytes: number): void {
    this.#undrawnBytes -= bytes;
    this.#logChanged();
  }

  /** What was drawn is lost. */
  restart(): void {
    this.#isOpen = false;
    this.#undrawnBytes = 0;
    this.#nextSeq = 1;
  }

  stop(): void {
    this.#unsubscribe();
    this.#options.budget.forget(this.#draw);
    this.#ownBudget.close();
    if (this.#isOpen) this.#options.say({ kind: 'close', screen: this.id });
  }

  #logChanged(): void {
    const { process, limits } = this.#options;
    const { log } = process;
    // Late enough that most processes never need a screen, early enough that nothing is trimmed unseen.
    if (log.retainedBytes < limits.retainedBytes / 2) return;
    const keep = limits.retainedBytes / 4;
    while (log.totalBytes - this.#fedOffset() > keep) {
      if (this.#undrawnBytes >= limits.screenUndrawnBytes) return;
      if (!this.#mayDraw() || !this.#feedNext()) return;
    }
  }

  /** Otherwise it is tried again when it may. */
  #mayDraw(): boolean {
    return this.#ownBudget.isOpenFor(this.#draw) && this.#options.budget.isOpenFor(this.#draw);
  }

  /** Decoded bytes before the next event. */
  #fedOffset(): number {
    const { log } = this.#options.process;
    return log.at(Math.max(this.#nextSeq, log.firstSeq))?.offset ?? log.sealedBytes;
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
      say({ kind: 'feed', screen: this.id, bytes: event.bytes });
    }
    return true;
  }

  #skipTrimmed(): void {
    this.#open();
    const { log } = this.#options.process;
    if (this.#nextSeq >= log.firstSeq) return;
    this.#nextSeq = log.firstSeq;
    this.#options.say({ kind: 'gap', screen: this.id });
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
