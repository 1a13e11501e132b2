// Puts the events of one process in order, each once, however they arrive; pure, and the same for pages and pushes.
import type { Stream } from '../protocol/process.ts';
import type { Size } from '../protocol/scalars.ts';

/** One step of a process's log as a reader meets it. */
export type LogEvent =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly stream: Stream;
      readonly bytes: Uint8Array;
      /** True when it was printed after this connection attached. */
      readonly live: boolean;
      /** Time (ms since the epoch) when the gateway read the first byte, when the server reports it. */
      readonly atMs?: number;
    }
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
    }
  | { readonly kind: 'closed'; readonly seq: number }
  /** The events between the two seqs will never come; `bytes` decoded bytes were in them. */
  | { readonly kind: 'gap'; readonly afterSeq: number; readonly nextSeq: number; readonly bytes: number }
  /** Output after event `afterSeq` was printed for a terminal of this size. */
  | { readonly kind: 'resized'; readonly afterSeq: number; readonly size: Size };

/** The seq that must have been given before this event's turn comes. */
const turn = (event: LogEvent): number => ('afterSeq' in event ? event.afterSeq : event.seq - 1);

export class OrderedEvents {
  /** Early events, by turn, of one turn in order of arrival. */
  #early: LogEvent[] = [];
  #lastSeq = 0;
  #offset = 0;
  #size: Size | null = null;
  #hasExited = false;
  #hasClosed = false;

  /** The seq up to which everything has been given, or is known to be missing. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Decoded bytes up to `lastSeq`, given or missing. */
  get offset(): number {
    return this.#offset;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  get hasClosed(): boolean {
    return this.#hasClosed;
  }

  /** End of the hole that delays early events; null without one. */
  get holeEnd(): number | null {
    const [first] = this.#early;
    return first ? turn(first) + 1 : null;
  }

  /** Takes an event and returns what is now in order, oldest first. */
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

  /** Forgets early events: their connection is gone, and the next one brings them again. */
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
      // Exit and close can lie within a gap: they are reported all the same, once.
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
