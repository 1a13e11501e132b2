// Puts one process's events in order, each once, whether they come from pages or pushes; without any I/O.
import type { Stream } from '../protocol/process.ts';
import type { Size } from '../protocol/scalars.ts';

/** One entry of a process's log, or a gap or change of size between entries. */
export type LogEvent =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly stream: Stream;
      readonly bytes: Uint8Array;
      /** True when the output was printed after this connection attached. */
      readonly live: boolean;
      /**
       * Time (ms since the epoch) when the gateway read the first byte; absent if the server does not report
       * it.
       */
      readonly atMs?: number;
    }
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
    }
  | { readonly kind: 'closed'; readonly seq: number }
  /** Events between the two seqs are missing; `bytes` is their decoded size, or 1 if it is unknown. */
  | { readonly kind: 'gap'; readonly afterSeq: number; readonly nextSeq: number; readonly bytes: number }
  /** Output after event `afterSeq` was printed for a terminal of this size. */
  | { readonly kind: 'resized'; readonly afterSeq: number; readonly size: Size };

/** Returns the seq that must have been emitted before this event. */
const turn = (event: LogEvent): number => ('afterSeq' in event ? event.afterSeq : event.seq - 1);

export class OrderedEvents {
  /** Events that arrived early, sorted by `turn` and then by arrival. */
  #early: LogEvent[] = [];
  #lastSeq = 0;
  #offset = 0;
  #size: Size | null = null;
  #hasExited = false;
  #hasClosed = false;

  /** Seq up to which everything has been emitted or is known to be missing. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Number of decoded bytes up to `lastSeq`, emitted or missing. */
  get offset(): number {
    return this.#offset;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  get hasClosed(): boolean {
    return this.#hasClosed;
  }

  /** Seq before which events are missing, although later ones have arrived; null if none has arrived early. */
  get holeEnd(): number | null {
    const [first] = this.#early;
    return first ? turn(first) + 1 : null;
  }

  /** Adds an event, and returns the events that are now in order, oldest first. */
  push(event: LogEvent): readonly LogEvent[] {
    if (turn(event) > this.#lastSeq) {
      this.#hold(event);
      return [];
    }
    const given: LogEvent[] = [];
    this.#take(event, given);
    while (this.#early[0] && turn(this.#early[0]) <= this.#lastSeq) {
      const [first, ...rest] = this.#early;
      this.#early = rest;
      this.#take(first, given);
    }
    return given;
  }

  /** Discards early events, because a later attachment receives them again. */
  forgetEarly(): void {
    this.#early = [];
  }

  #hold(event: LogEvent): void {
    const after = this.#early.findLastIndex((each) => turn(each) <= turn(event));
    this.#early = this.#early.toSpliced(after + 1, 0, event);
  }

  #take(event: LogEvent, given: LogEvent[]): void {
    switch (event.kind) {
      case 'output':
        if (event.seq <= this.#lastSeq) return;
        this.#lastSeq = event.seq;
        this.#offset += event.bytes.length;
        break;
      // Exit and close can lie inside a gap; they are still emitted, once.
      case 'exited':
        this.#lastSeq = Math.max(this.#lastSeq, event.seq);
        if (this.#hasExited) return;
        this.#hasExited = true;
        break;
      case 'closed':
        this.#lastSeq = Math.max(this.#lastSeq, event.seq);
        if (this.#hasClosed) return;
        this.#hasClosed = true;
        break;
      case 'gap':
        if (event.nextSeq - 1 <= this.#lastSeq) return;
        this.#lastSeq = event.nextSeq - 1;
        this.#offset += event.bytes;
        if (event.bytes === 0) return;
        break;
      case 'resized':
        if (this.#size?.rows === event.size.rows && this.#size.cols === event.size.cols) return;
        this.#size = event.size;
        break;
    }
    given.push(event);
  }
}
