// A reader's position in an event log: what it gets next, in order, each event once, or told how much it missed.
import type { SizeMark } from '../../protocol/console.ts';
import type { LogEvent } from '../keeper/log-event.ts';
import type { LogView } from '../keeper/process-view.ts';

export interface Gap {
  readonly kind: 'gap';
  readonly afterSeq: number;
  readonly nextSeq: number;
  /** Decoded bytes over all streams that this reader will not get. */
  readonly bytes: number;
}
interface Resized {
  readonly kind: 'resized';
  readonly mark: SizeMark;
}
export type Step = LogEvent | Gap | Resized;

export class Cursor {
  readonly #log: LogView;
  /** The seq of the next event to give. */
  #next: number;
  /** Decoded bytes before it. */
  #offset: number;
  #mark: SizeMark | undefined;

  /** Stands behind event `afterSeq`; by default behind everything there is. */
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

  /** Decoded bytes before it: that it has been given, or has missed, or that were there before. */
  get givenBytes(): number {
    return this.#offset;
  }

  /** Decoded bytes that the process has printed and this reader has not been given. */
  get unreadBytes(): number {
    return this.#log.totalBytes - this.#offset;
  }

  /** Whether the next event is there already, with a seq, so that nothing is added to it. */
  get hasSealed(): boolean {
    return this.#next < this.#log.nextSeq;
  }

  get hasMore(): boolean {
    return this.hasSealed || this.unreadBytes > 0 || this.#currentMark() !== this.#mark;
  }

  /** The next step; seals what is pending when that is all there is. */
  pull(): Step | null {
    if (this.#next >= this.#log.nextSeq) this.#log.seal();
    const { firstSeq } = this.#log;
    if (this.#next < firstSeq) return this.#skipTo(firstSeq);
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
    const offset = this.#log.firstOffset;
    const gap: Gap = { kind: 'gap', afterSeq: this.#next - 1, nextSeq: seq, bytes: offset - this.#offset };
    this.#next = seq;
    this.#offset = offset;
    return gap;
  }

  /** The last size set before the next event. */
  #currentMark(): SizeMark | undefined {
    return this.#log.sizeAt(this.#next);
  }
}
