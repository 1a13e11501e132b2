// The bounded event log of one process; the only place that assigns seqs.
import type { SizeMark } from '../../protocol/console.ts';
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { LogEnd, LogEvent, LogStep, OutputEvent } from './log-event.ts';
import type { LogView } from './process-view.ts';
import { OffsetIndex } from './offset-index.ts';
import type { OutputSegment } from './output-segment.ts';
import { PendingOutput } from './pending-output.ts';
import { RetainedOutput } from './retained-output.ts';
import type { Sealed, SeqJournal } from './seq-journal.ts';
import { SizeMarks } from './size-marks.ts';

export interface EventLogLimits {
  readonly retainedBytes: number;
  readonly retainedEvents: number;
  readonly chunkBytes: number;
}

/** Memory per event in addition to its bytes. */
const EVENT_BYTES = 40;

/**
 * Output stays unsealed, so that adjacent reads become one chunk, until a reader requests it, an act is recorded, the
 * chunk is full, the stream or terminal size changes, or the process has exited or closed. A sealed chunk has a seq
 * and never changes.
 */
export class EventLog implements LogView {
  readonly #limits: EventLogLimits;
  readonly #journal: SeqJournal | null;
  readonly #output = new RetainedOutput();
  #exited: LogEvent | null = null;
  #closed: LogEvent | null = null;
  #firstSeq = 1;
  #nextSeq = 1;
  #pending: PendingOutput | null = null;
  #sealedBytes = 0;
  #retainedBytes = 0;
  /** Seq of the first event that must not be evicted; Infinity when only the limits apply. */
  #heldFrom = Number.POSITIVE_INFINITY;
  #sizes = new SizeMarks();
  readonly #evicted = new OffsetIndex();
  /** The lost end of a restored log: its events, and the bytes of output before them. */
  #lost: { readonly seq: number; readonly nextSeq: number; readonly offset: number } | null = null;
  #listeners: readonly (() => void)[] = [];
  #stepListeners: readonly ((step: LogStep) => void)[] = [];
  #evictListener: ((bytes: Buffer) => void) | null = null;

  constructor(limits: EventLogLimits, journal: SeqJournal | null = null) {
    this.#limits = limits;
    this.#journal = journal;
  }

  /** Starts the log at `seq`, after `offset` bytes; the ends of earlier events are unknown. */
  beginAt(seq: number, offset: number): void {
    this.#firstSeq = seq;
    this.#nextSeq = seq;
    this.#sealedBytes = offset;
    this.#evicted.beginAt(seq, offset);
  }

  /**
   * Adds events whose output is missing, and evicts them at once, with all earlier events and pending output. `ends`:
   * the offsets at which the new events end; `isContinued`: pending output belongs to the first of them.
   */
  missing(ends: readonly number[], isContinued: boolean): void {
    if (!isContinued) this.seal();
    this.#retainedBytes -= this.#pending?.bytes ?? 0;
    this.#pending = null;
    this.discard(this.#nextSeq);
    for (const end of ends) {
      this.#sealedBytes = end;
      this.#note('stdout', 0);
      this.#evicted.push(end);
      this.#nextSeq += 1;
    }
    this.#firstSeq = this.#nextSeq;
    const begun = { kind: 'begun', seq: this.#nextSeq, offset: this.#sealedBytes } as const;
    for (const listener of this.#stepListeners) listener(begun);
  }

  /**
   * Returns a log of recorded events, whose seqs are consecutive and stay the same. `end`: the end of the log, when it
   * is known to be after the last of them.
   */
  static restored(events: readonly LogEvent[], sizes: readonly SizeMark[], end?: LogEnd): EventLog {
    const most = Number.POSITIVE_INFINITY;
    const log = new EventLog({ retainedBytes: most, retainedEvents: most, chunkBytes: most });
    const [first] = events;
    if (first) log.beginAt(first.seq, first.offset);
    for (const event of events) log.#restore(event);
    if (end && end.nextSeq > log.#nextSeq) log.#endAfterLoss(end, first !== undefined);
    log.#sizes = SizeMarks.of(sizes);
    return log;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  get totalBytes(): number {
    return this.#sealedBytes + (this.#pending?.bytes ?? 0);
  }

  get sealedBytes(): number {
    return this.#sealedBytes;
  }

  get exitedSeq(): number | null {
    return this.#exited?.seq ?? null;
  }

  get closedSeq(): number | null {
    return this.#closed?.seq ?? null;
  }

  get retainedBytes(): number {
    return this.#retainedBytes;
  }

  get costBytes(): number {
    return this.#retainedBytes + EVENT_BYTES * (this.#nextSeq - this.#firstSeq);
  }

  at(seq: number): LogEvent | undefined {
    if (seq < this.#firstSeq || seq >= this.#nextSeq) return undefined;
    return this.#endAt(seq) ?? this.segmentOf(seq)?.at(seq);
  }

  nextRetained(seq: number): number {
    if (seq < this.#firstSeq) return this.#firstSeq;
    return this.#lost && seq >= this.#lost.seq && seq < this.#lost.nextSeq ? this.#lost.nextSeq : seq;
  }

  /** Returns the segment that contains output event `seq`, while it is retained. */
  segmentOf(seq: number): OutputSegment | undefined {
    return this.#output.segmentOf(seq);
  }

  get firstOffset(): number {
    return this.offsetAfter(this.#firstSeq - 1);
  }

  /**
   * Returns the number of decoded bytes of all output up to and including event `seq`, even after its eviction. For an
   * event that `OffsetIndex` no longer has, returns the end of its oldest event, so skipped bytes may be undercounted.
   */
  offsetAfter(seq: number): number {
    const next = seq + 1;
    if (next >= this.#nextSeq) return this.#sealedBytes;
    if (next < this.#firstSeq) return this.#evicted.offsetAfter(seq);
    const offset = this.#endAt(next)?.offset ?? this.segmentOf(next)?.offsetOf(next);
    return offset ?? this.#lost?.offset ?? 0;
  }

  tail(bytes: number): Buffer {
    return this.#output.tail(bytes, this.#firstSeq, this.#pending?.output);
  }

  /** Appends a copy of output that was read at `atMs`. */
  append(stream: Stream, bytes: Buffer, atMs?: number): void {
    if (this.#pending && this.#pending.stream !== stream) this.seal();
    for (let at = 0; at < bytes.length;) {
      this.#pending ??= new PendingOutput(stream, this.#limits.chunkBytes, atMs);
      const taken = this.#pending.append(bytes, at);
      at += taken;
      this.#retainedBytes += taken;
      if (this.#pending.isFull) this.seal();
    }
    this.#trim();
    this.#changed();
  }

  seal(): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = null;
    const bytes = pending.sealed();
    const offset = this.#sealedBytes;
    this.#sealedBytes += bytes.length;
    const { stream, atMs } = pending;
    const event: OutputEvent = { kind: 'output', seq: this.#nextSeq, offset, stream, bytes, atMs };
    this.#note(stream, atMs);
    this.#output.add(event);
    this.#added(event);
  }

  /** Appends the exited event, when the child has been reaped. */
  exited(exitCode: number, sandboxDenied: boolean, atMs = Date.now()): void {
    this.seal();
    this.#exited = {
      kind: 'exited',
      seq: this.#nextSeq,
      offset: this.#sealedBytes,
      exitCode,
      sandboxDenied,
    };
    this.#note('exited', atMs, { exitCode, sandboxDenied });
    this.#added(this.#exited);
    this.#changed();
  }

  /** Appends the closed event, when the child has been reaped and all its streams have ended. */
  closed(): void {
    this.seal();
    this.#closed = { kind: 'closed', seq: this.#nextSeq, offset: this.#sealedBytes };
    this.#note('closed', Date.now());
    this.#output.trim();
    this.#added(this.#closed);
    this.#changed();
  }

  /**
   * Sets the terminal's size for later output. Size marks have no seq; a newer one replaces an older one at the same
   * place.
   */
  resized(size: Size): void {
    // A segment on disk repeats the size at its start; a repeated size must not split a chunk.
    if (this.#sizes.isLast(size)) return;
    this.seal();
    this.#sizes.set(this.#nextSeq - 1, size);
    for (const listener of this.#stepListeners) listener({ kind: 'resized', ...size });
    this.#changed();
  }

  sizeAt(seq: number): SizeMark | undefined {
    return this.#sizes.at(seq);
  }

  sizesFrom(seq: number): readonly SizeMark[] {
    return this.#sizes.from(seq);
  }

  /** Retains event `seq` and all later ones beyond the limits; with Infinity, only the limits apply. */
  keepFrom(seq: number): void {
    this.#heldFrom = seq;
    this.#trim();
  }

  /** Evicts all events before `seq`, by default all that no reader holds; `exitedSeq` remains known. */
  discard(seq = this.#heldFrom): void {
    while (this.#firstSeq < Math.min(seq, this.#nextSeq)) this.#drop();
    this.#output.compact();
  }

  /** Evicts events beyond the limits, except those that readers hold. */
  #trim(): void {
    if (!this.#isOverLimit) return;
    const heldFrom = Math.min(this.#heldFrom, this.#nextSeq);
    while (this.#isOverLimit && this.#firstSeq < heldFrom) this.#drop();
    this.#output.compactIfSparse();
  }

  onEvict(listener: (bytes: Buffer) => void): void {
    this.#evictListener = listener;
  }

  /**
   * Calls `listener` after new output, the exit, the end and a new terminal size, in order of subscription; the
   * listener must not append. Returns a function that unsubscribes.
   */
  onChange(listener: () => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener);
    };
  }

  onStep(listener: (step: LogStep) => void): void {
    this.#stepListeners = [...this.#stepListeners, listener];
  }

  #note(
    kind: Sealed['kind'],
    atMs: number,
    { exitCode, sandboxDenied } = { exitCode: 0, sandboxDenied: false },
  ): void {
    this.#journal?.add({ kind, endOffset: this.#sealedBytes, atMs, exitCode, sandboxDenied });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Returns the exited or closed event if it has this seq. */
  #endAt(seq: number): LogEvent | null {
    if (seq === this.exitedSeq) return this.#exited;
    return seq === this.closedSeq ? this.#closed : null;
  }

  #restore(event: LogEvent): void {
    if (event.kind === 'exited') this.#exited = event;
    else if (event.kind === 'closed') this.#closed = event;
    else {
      this.#output.add(event);
      this.#retainedBytes += event.bytes.length;
    }
    this.#sealedBytes = event.offset + (event.kind === 'output' ? event.bytes.length : 0);
    this.#nextSeq += 1;
  }

  /**
   * Adds the exit and the end if the restored events lack them, after the lost events; where the exit was among these is
   * unknown.
   */
  #endAfterLoss({ nextSeq, offset, exit, isClosed }: LogEnd, hasEvents: boolean): void {
    const closedSeq = isClosed ? nextSeq - 1 : nextSeq;
    const lacksExit = exit !== null && !this.#exited && closedSeq > this.#nextSeq;
    const exitedSeq = lacksExit ? closedSeq - 1 : closedSeq;
    const lost = { seq: this.#nextSeq, nextSeq: exitedSeq, offset: this.#sealedBytes };
    if (lacksExit) this.#exited = { kind: 'exited', seq: exitedSeq, offset, ...exit };
    if (isClosed) this.#closed = { kind: 'closed', seq: closedSeq, offset };
    this.#nextSeq = nextSeq;
    this.#sealedBytes = offset;
    if (!hasEvents) {
      this.#firstSeq = exitedSeq;
      this.#evicted.beginAt(exitedSeq, offset);
    } else if (lost.seq < lost.nextSeq) this.#lost = lost;
  }

  #added(event: LogEvent): void {
    this.#nextSeq += 1;
    for (const listener of this.#stepListeners) listener(event);
    this.#trim();
  }

  get #isOverLimit(): boolean {
    const { retainedBytes, retainedEvents } = this.#limits;
    return this.#retainedBytes > retainedBytes || this.#nextSeq - this.#firstSeq > retainedEvents;
  }

  #drop(): void {
    const event = this.at(this.#firstSeq);
    const bytes = event?.kind === 'output' ? event.bytes.length : 0;
    if (event?.kind === 'output') this.#evictListener?.(event.bytes);
    this.#retainedBytes -= bytes;
    this.#evicted.push((event?.offset ?? this.#lost?.offset ?? 0) + bytes);
    this.#firstSeq += 1;
    this.#output.dropBefore(this.#firstSeq);
    this.#sizes.dropBefore(this.#firstSeq);
  }
}
