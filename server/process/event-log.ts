// The bounded, ordered record of what one process did: the only place where seq is given.
import type { SizeMark } from '../protocol/console.ts';
import type { Stream } from '../protocol/process.ts';
import type { Size } from '../protocol/scalars.ts';
import { OffsetIndex } from './offset-index.ts';
import { PendingOutput } from './pending-output.ts';

/** `offset`: decoded bytes of all streams before this event. Immutable once it is in the log. */
export type LogEvent =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly offset: number;
      readonly stream: Stream;
      readonly bytes: Buffer;
      /** When the first of them was read. */
      readonly atMs: number;
    }
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly offset: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
    }
  | { readonly kind: 'closed'; readonly seq: number; readonly offset: number };

export type OutputEvent = Extract<LogEvent, { readonly kind: 'output' }>;

export interface EventLogLimits {
  readonly retainedBytes: number;
  readonly retainedEvents: number;
  readonly chunkBytes: number;
}

/**
 * Output waits unsealed, so that neighbouring reads become one chunk, until somebody pulls it, it has reached the
 * quantum, the stream changes or the process exits; then it gets its seq and never changes.
 */
export class EventLog {
  readonly #limits: EventLogLimits;
  /** The retained events; slots before `#head` are empty. */
  #events: (LogEvent | undefined)[] = [];
  #head = 0;
  #nextSeq = 1;
  #pending: PendingOutput | null = null;
  #sealedBytes = 0;
  #retainedBytes = 0;
  readonly #keepers = new Set<() => number>();
  #sizes: SizeMark[] = [];
  readonly #trimmed = new OffsetIndex();
  #listeners: readonly (() => void)[] = [];
  #trimListener: ((bytes: Buffer) => void) | null = null;
  exitedSeq: number | null = null;
  closedSeq: number | null = null;

  constructor(limits: EventLogLimits) {
    this.#limits = limits;
  }

  /** One above the last event that has a seq. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** The oldest event that is retained; `nextSeq` when none is. */
  get firstSeq(): number {
    return this.#nextSeq - (this.#events.length - this.#head);
  }

  /** Decoded bytes of all output ever, sealed or not. */
  get totalBytes(): number {
    return this.#sealedBytes + (this.#pending?.bytes ?? 0);
  }

  /** Decoded bytes of the output that has a seq. */
  get sealedBytes(): number {
    return this.#sealedBytes;
  }

  get retainedBytes(): number {
    return this.#retainedBytes;
  }

  /** The event, unless it has been trimmed or has not happened. */
  at(seq: number): LogEvent | undefined {
    return seq < this.firstSeq ? undefined : this.#events[this.#head + seq - this.firstSeq];
  }

  /** Decoded bytes before the oldest retained event. */
  get firstOffset(): number {
    return this.at(this.firstSeq)?.offset ?? this.#sealedBytes;
  }

  /**
   * Decoded bytes of all output up to and with event `seq`, also when it has been trimmed. Of very old events only the
   * newest is known (see `OffsetIndex`); then the result is that one's, so what was missed since is at least the rest.
   */
  offsetAfter(seq: number): number {
    if (seq + 1 >= this.#nextSeq) return this.#sealedBytes;
    return this.at(seq + 1)?.offset ?? this.#trimmed.offsetAfter(seq);
  }

  /** The newest retained output, sealed or not, over all streams; about `bytes` of it, or all there is. */
  tail(bytes: number): Buffer {
    const pieces: Buffer[] = this.#pending ? [this.#pending.output] : [];
    let length = this.#pending?.bytes ?? 0;
    for (let at = this.#events.length - 1; at >= this.#head && length < bytes; at -= 1) {
      const event = this.#events[at];
      if (event?.kind !== 'output') continue;
      pieces.unshift(event.bytes);
      length += event.bytes.length;
    }
    return Buffer.concat(pieces, length).subarray(Math.max(0, length - bytes));
  }

  /** Adds output; copies `bytes`. */
  append(stream: Stream, bytes: Buffer): void {
    if (this.#pending && this.#pending.stream !== stream) this.seal();
    for (let at = 0; at < bytes.length;) {
      this.#pending ??= new PendingOutput(stream, this.#limits.chunkBytes);
      const taken = this.#pending.append(bytes, at);
      at += taken;
      this.#retainedBytes += taken;
      if (this.#pending.isFull) this.seal();
    }
    this.trim();
    this.#changed();
  }

  /** Gives what is pending its seq. */
  seal(): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = null;
    const bytes = pending.sealed();
    const offset = this.#sealedBytes;
    // First, since who is asked what to keep counts with it.
    this.#sealedBytes += bytes.length;
    const { stream, atMs } = pending;
    this.#add({ kind: 'output', seq: this.#nextSeq, offset, stream, bytes, atMs });
  }

  /** The child was reaped. */
  exited(exitCode: number, sandboxDenied: boolean): void {
    this.seal();
    this.exitedSeq = this.#nextSeq;
    this.#add({ kind: 'exited', seq: this.#nextSeq, offset: this.#sealedBytes, exitCode, sandboxDenied });
    this.#changed();
  }

  /** The child was reaped and all its streams are at their end. */
  closed(): void {
    this.seal();
    this.closedSeq = this.#nextSeq;
    this.#add({ kind: 'closed', seq: this.#nextSeq, offset: this.#sealedBytes });
    this.#changed();
  }

  /** What follows is for a terminal of this size. Marks have no seq; of those at one place only the last counts. */
  resized(size: Size): void {
    this.seal();
    const afterSeq = this.#nextSeq - 1;
    if (this.#sizes.at(-1)?.afterSeq === afterSeq) this.#sizes.pop();
    this.#sizes.push({ afterSeq, rows: size.rows, cols: size.cols });
    this.#changed();
  }

  /** The size that `seq` was, or will be, printed for. */
  sizeAt(seq: number): SizeMark | undefined {
    return this.#sizes.findLast((mark) => mark.afterSeq < seq);
  }

  /** The size that `seq` was printed for and all later ones, oldest first; empty without a terminal. */
  sizesFrom(seq: number): readonly SizeMark[] {
    const base = this.#sizes.findLastIndex((mark) => mark.afterSeq < seq);
    return this.#sizes.slice(Math.max(base, 0));
  }

  /** Whatever the limits say, nothing is trimmed from the seq on that this names. Returns its own undo. */
  keep(fromSeq: () => number): () => void {
    this.#keepers.add(fromSeq);
    return () => {
      if (this.#keepers.delete(fromSeq)) this.trim();
    };
  }

  /** Gives up all retained output that nobody must be given, to make room for others; the exit stays known. */
  discard(): void {
    const keptFrom = this.#keptFrom;
    while (this.#head < this.#events.length && this.firstSeq < keptFrom) this.#drop();
    this.#compact();
  }

  /** Drops what is beyond the limits and not kept; for a keeper that needs less than before. */
  trim(): void {
    if (!this.#isOverLimit) return;
    const keptFrom = this.#keptFrom;
    while (this.#isOverLimit && this.firstSeq < keptFrom) this.#drop();
    // An empty slot costs little, but there must not be ever more of them.
    if (this.#head > 64 && this.#head > this.#events.length / 2) this.#compact();
  }

  /** Given all output, each piece when it is retained no longer, in its order; must not use the log. There is one. */
  onTrim(listener: (bytes: Buffer) => void): void {
    this.#trimListener = listener;
  }

  /** Told after every change, in the order of subscription; must not append. Returns its own undo. */
  onChange(listener: () => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #add(event: LogEvent): void {
    this.#events.push(event);
    this.#nextSeq += 1;
    this.trim();
  }

  get #isOverLimit(): boolean {
    const { retainedBytes, retainedEvents } = this.#limits;
    return this.#retainedBytes > retainedBytes || this.#events.length - this.#head > retainedEvents;
  }

  get #keptFrom(): number {
    let kept = this.#nextSeq;
    for (const fromSeq of this.#keepers) kept = Math.min(kept, fromSeq());
    return kept;
  }

  #drop(): void {
    const event = this.#events[this.#head];
    const bytes = event?.kind === 'output' ? event.bytes.length : 0;
    if (event?.kind === 'output') this.#trimListener?.(event.bytes);
    this.#retainedBytes -= bytes;
    this.#trimmed.push((event?.offset ?? 0) + bytes);
    this.#events[this.#head] = undefined;
    this.#head += 1;
    const base = this.#sizes.findLastIndex((mark) => mark.afterSeq < this.firstSeq);
    if (base > 0) this.#sizes.splice(0, base);
  }

  #compact(): void {
    this.#events = this.#events.slice(this.#head);
    this.#head = 0;
  }
}
