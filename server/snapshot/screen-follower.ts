// One process's screen as seen from the gateway's thread: a cursor on the log that feeds the screens' thread.
import type { Process } from '../process/process.ts';
import type { Size } from '../protocol/scalars.ts';
import type { ToScreens } from './messages.ts';

export interface FollowerLimits {
  readonly retainedBytes: number;
  /** Bytes handed over and not yet drawn, of one screen; beyond it, its log may trim past it. */
  readonly screenUndrawnBytes: number;
  /** Of a flood only so much is drawn: bytes per second, and so many at once after a quiet. */
  readonly screenBytesPerSecond: number;
  readonly screenBurstBytes: number;
}

interface FollowerOptions {
  readonly id: number;
  readonly process: Process;
  readonly limits: FollowerLimits;
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
  readonly #unsubscribe: () => void;
  #isOpen = false;
  #nextSeq = 1;
  #size: Size;
  #undrawnBytes = 0;
  /** A token bucket: what may be fed before the next refill. */
  #allowedBytes: number;
  #refilledAtMs = performance.now();
  #retry: NodeJS.Timeout | null = null;

  constructor(options: FollowerOptions) {
    this.id = options.id;
    this.#options = options;
    this.#allowedBytes = options.limits.screenBurstBytes;
    this.#size = options.process.log.sizeAt(1) ?? { rows: 24, cols: 80 };
    this.#unsubscribe = options.process.log.onChange(() => this.#logChanged());
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
    if (this.#retry) clearTimeout(this.#retry);
    if (this.#isOpen) this.#options.say({ kind: 'close', screen: this.id });
  }

  #logChanged(): void {
    const { process, limits } = this.#options;
    const { log } = process;
    // Late enough that most processes never need a screen, early enough that nothing is trimmed unseen.
    if (log.retainedBytes < limits.retainedBytes / 2) return;
    const keep = limits.retainedBytes / 4;
    while (log.totalBytes - this.#fedOffset() > keep) {
      if (this.#undrawnBytes >= limits.screenUndrawnBytes || !this.#isAllowed() || !this.#feedNext()) return;
    }
  }

  /** Decoded bytes before the next event. */
  #fedOffset(): number {
    const { log } = this.#options.process;
    return log.at(Math.max(this.#nextSeq, log.firstSeq))?.offset ?? log.sealedBytes;
  }

  /** False when there is nothing left. */
  #feedNext(): boolean {
    const { process, say } = this.#options;
    this.#skipTrimmed();
    const event = process.log.at(this.#nextSeq);
    if (!event) return false;
    this.#resizeTo(process.log.sizeAt(this.#nextSeq));
    this.#nextSeq += 1;
    if (event.kind === 'output') {
      this.#undrawnBytes += event.bytes.length;
      this.#allowedBytes -= event.bytes.length;
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

  /** Drawing a flood would take a whole core; beyond the rate it is looked at again when there is room for some of it. */
  #isAllowed(): boolean {
    const { screenBytesPerSecond, screenBurstBytes } = this.#options.limits;
    const now = performance.now();
    const refill = ((now - this.#refilledAtMs) / 1000) * screenBytesPerSecond;
    this.#allowedBytes = Math.min(screenBurstBytes, this.#allowedBytes + refill);
    this.#refilledAtMs = now;
    if (this.#allowedBytes > 0) return true;
    this.#retry ??= setTimeout(
      () => {
        this.#retry = null;
        this.#logChanged();
      },
      Math.ceil((screenBurstBytes / 4 / screenBytesPerSecond) * 1000),
    );
    return false;
  }
}
