// Follows one process over one connection: attaches, reads earlier output and merges it with pushed events.
//
// attaching ──▶ catchingUp(untilSeq) ──▶ following      any ──▶ stopped (connection lost, detached, or refused)
//                    ▲                       │
//                    └──── hole, or gap ─────┘
//
// Events below `untilSeq` come from pages, later ones from pushes, so no byte arrives twice; pushes wait
// until all pages are read. First views, reloads, cuts, sleeps and lagging tabs all use this path.
import type { Size } from '../protocol/scalars.ts';
import { ErrorCode } from '../protocol/jsonrpc.ts';
import { Credit } from './credit.ts';
import { RequestError, type OutputSink } from './exec-client.ts';
import type { LogEvent, OrderedEvents } from './ordered-events.ts';
import type { Reply, RpcClient } from './rpc-client.ts';
import type { Runtime } from './runtime.ts';
import { readAttach, readPage, type Page } from './wire.ts';

/** Decoded bytes per page; the next page is requested when at most a quarter of this is undrawn. */
const PAGE_BYTES = 256 * 1024;
const UNDRAWN_BYTES = PAGE_BYTES / 4;
/**
 * A seq beyond all events: the page then has no output, only sizes, exit and close. `maxBytes: 0` would still return
 * one chunk.
 */
const NO_OUTPUT = { afterSeq: Number.MAX_SAFE_INTEGER } as const;

/** Delay before a read that looks for an exit in a gap, so that the many gaps of a flood cause few reads. */
const LOOK_BACK_MS = 250;

export interface AttachmentOptions {
  readonly key: string;
  readonly windowBytes: number;
  readonly rpc: RpcClient;
  readonly runtime: Runtime;
  readonly ordered: OrderedEvents;
  readonly outlet: Outlet;
  violated(reason: string): void;
}

type Phase =
  | { readonly kind: 'attaching' }
  | {
      readonly kind: 'catchingUp';
      readonly untilSeq: number;
      /** Decoded size of all output below `untilSeq`; null when catching up again after a hole or gap. */
      readonly offset: number | null;
      /** Terminal size at `untilSeq`; null without a tty, and when catching up again. */
      readonly size: Size | null;
      isReading: boolean;
    }
  | { readonly kind: 'following' }
  | { readonly kind: 'stopped' };

export class Attachment {
  readonly #options: AttachmentOptions;
  readonly #credit: Credit;
  #phase: Phase = { kind: 'attaching' };
  /** Pushes waiting for the pages; bounded by the window, since none of them is acknowledged. */
  #early: LogEvent[] = [];
  /** Cancels the timer that runs while a gap may have hidden an exit; null when the timer does not run. */
  #stopLookBack: (() => void) | null = null;

  constructor(options: AttachmentOptions) {
    const { key, windowBytes, rpc, runtime } = options;
    this.#options = options;
    this.#credit = new Credit({
      windowBytes,
      runtime,
      acknowledge: (seq) => rpc.request('process/ack', { key, seq }, () => undefined),
    });
  }

  /** Attaches and catches up. `attached` is called before any output. */
  start(attached: () => void): void {
    const { rpc, key, windowBytes } = this.#options;
    rpc.request('process/attach', { key, windowBytes }, (reply) => {
      if (this.#phase.kind !== 'attaching') return;
      const result = this.#resultOf(reply, 'process/attach', readAttach);
      if (!result) return;
      attached();
      this.#catchUp(result.nextSeq, result.offset, result.size);
    });
  }

  /** Follows a process that was attached at its start, so that there is no earlier output to read. */
  startFollowing(): void {
    this.#phase = { kind: 'following' };
  }

  push(event: LogEvent): void {
    // A push that precedes the reply to the attach request belongs to an attachment that was just stopped.
    if (this.#phase.kind === 'attaching' || this.#phase.kind === 'stopped') return;
    if (event.kind === 'output' && !this.#credit.pushed(event.seq, event.bytes.length)) {
      this.#options.violated(`received more output of ${this.#options.key} than its credit allows`);
      return;
    }
    this.#early.push(event);
    this.#giveEarly();
  }

  /**
   * Reports everything up to `seq` as drawn, so that the gateway may send more, and reads the next page if there is
   * room.
   */
  drawn(seq: number): void {
    if (this.#phase.kind === 'stopped') return;
    this.#credit.drawn(seq);
    this.#readPage();
  }

  stop(): void {
    this.#phase = { kind: 'stopped' };
    this.#early = [];
    this.#credit.stop();
    this.#stopLookBack?.();
    this.#options.ordered.forgetEarly();
  }

  #catchUp(untilSeq: number, offset: number | null = null, size: Size | null = null): void {
    this.#phase = { kind: 'catchingUp', untilSeq, offset, size, isReading: false };
    this.#readPage();
  }

  #readPage(): void {
    const { rpc, key, ordered, outlet } = this.#options;
    const phase = this.#phase;
    if (phase.kind !== 'catchingUp' || phase.isReading || outlet.undrawnBytes > UNDRAWN_BYTES) return;
    phase.isReading = true;
    const isOutputWanted = ordered.lastSeq + 1 < phase.untilSeq;
    const wanted = isOutputWanted ? { afterSeq: ordered.lastSeq, maxBytes: PAGE_BYTES } : NO_OUTPUT;
    rpc.request('process/read', { key, ...wanted }, (reply) => {
      if (this.#phase !== phase) return;
      const page = this.#resultOf(reply, 'process/read', readPage);
      // Drawing during `#takePage` must not request another page, which would start in the middle of this
      // one.
      if (page) this.#takePage(page, phase);
      phase.isReading = false;
      if (page) this.#readPage();
    });
  }

  #takePage(page: Page, { untilSeq, offset, size }: Phase & { kind: 'catchingUp' }): void {
    const { ordered } = this.#options;
    const afterSeq = ordered.lastSeq;
    const last = page.chunks.at(-1);
    const isLast = page.nextSeq >= untilSeq || !last;
    // Sizes, exit and close beyond this page are also in a later page, unless this one is the last.
    const endSeq = isLast ? untilSeq : last.seq + 1;
    const firstSeq = page.chunks[0]?.seq ?? untilSeq;
    if (page.missedBytes > 0 && firstSeq < untilSeq) {
      this.#give({ kind: 'gap', afterSeq, nextSeq: firstSeq, bytes: page.missedBytes });
    }
    const sizes = page.sizes.map(({ rows, cols, ...mark }) => ({ seq: mark.afterSeq, size: { rows, cols } }));
    const ends = page.ends.filter(({ seq }) => seq < endSeq);
    for (const chunk of page.chunks) {
      if (chunk.seq >= endSeq) break;
      this.#giveBefore(chunk.seq, sizes, ends);
      this.#give(chunk);
    }
    if (isLast && page.missedBytes > 0 && firstSeq >= untilSeq) {
      // All output before `untilSeq` was evicted, maybe with later output, which `missedBytes` includes too.
      const bytes = offset === null ? page.missedBytes : Math.max(0, offset - ordered.offset);
      this.#give({ kind: 'gap', afterSeq, nextSeq: untilSeq, bytes });
    }
    this.#giveBefore(endSeq, sizes, ends);
    if (isLast) this.#caughtUp(untilSeq, size);
  }

  /** Emits the sizes, exit and close before `seq` in order, and removes them from the two lists. */
  #giveBefore(
    seq: number,
    sizes: { readonly seq: number; readonly size: { readonly rows: number; readonly cols: number } }[],
    ends: (LogEvent & { readonly kind: 'exited' | 'closed' })[],
  ): void {
    for (;;) {
      const [mark] = sizes;
      const [end] = ends;
      if (mark && mark.seq < seq && (!end || mark.seq < end.seq)) {
        sizes.shift();
        this.#give({ kind: 'resized', afterSeq: mark.seq, size: mark.size });
      } else if (end && end.seq < seq) {
        ends.shift();
        this.#give(end);
      } else {
        return;
      }
    }
  }

  #caughtUp(untilSeq: number, size: Size | null): void {
    const { ordered } = this.#options;
    // Seqs below `untilSeq` that no page has listed are not output, so the gap has 0 bytes.
    this.#give({ kind: 'gap', afterSeq: ordered.lastSeq, nextSeq: untilSeq, bytes: 0 });
    if (size) this.#give({ kind: 'resized', afterSeq: untilSeq - 1, size });
    if (this.#phase.kind === 'stopped') return;
    this.#phase = { kind: 'following' };
    this.#giveEarly();
  }

  #giveEarly(): void {
    while (this.#phase.kind === 'following') {
      const [event] = this.#early;
      if (!event) return;
      // No event may follow `closed`, so an exit in a gap must be emitted before it.
      if (event.kind === 'closed' && this.#stopLookBack && !this.#options.ordered.hasExited) {
        this.#lookBack();
        return;
      }
      this.#early.shift();
      this.#give(event);
      this.#lookForMissing(event);
    }
  }

  /** Reads pages when events may be missing: an exit in a gap, or those before an event that arrived early. */
  #lookForMissing(event: LogEvent): void {
    const { ordered, runtime } = this.#options;
    if (this.#phase.kind !== 'following') return;
    if (ordered.holeEnd !== null) this.#catchUp(ordered.holeEnd);
    else if (event.kind === 'gap' && !ordered.hasExited)
      this.#stopLookBack ??= runtime.after(LOOK_BACK_MS, () => this.#lookBack());
  }

  #lookBack(): void {
    const { ordered } = this.#options;
    this.#stopLookBack?.();
    this.#stopLookBack = null;
    if (this.#phase.kind === 'following' && !ordered.hasExited) this.#catchUp(ordered.lastSeq + 1);
  }

  #give(event: LogEvent): void {
    const { ordered, outlet } = this.#options;
    for (const given of ordered.push(event)) outlet.give(given);
  }

  #resultOf<T>(reply: Reply, method: string, read: (result: unknown) => T | null): T | null {
    if (reply.kind === 'lost') return null;
    const result = reply.kind === 'result' ? read(reply.result) : null;
    if (result) return result;
    const error =
      reply.kind === 'error'
        ? reply.error
        : { code: ErrorCode.internal, message: 'the gateway sent a malformed reply' };
    this.stop();
    const { outlet } = this.#options;
    outlet.give({ kind: 'refused', error: new RequestError(method, error.code, error.message) });
    return null;
  }
}

type Reported =
  | LogEvent
  | { readonly kind: 'reconnected'; readonly isJustNow: boolean }
  | { readonly kind: 'refused'; readonly error: RequestError };

/**
 * Buffer between a process's events and its sink: stores events until there is a sink, and counts undrawn
 * bytes.
 */
export class Outlet {
  readonly #onDrawn: (seq: number) => void;
  #sink: OutputSink | null = null;
  /** Events received while there is no sink; the attachment bounds them by limiting undrawn bytes. */
  #waiting: Reported[] = [];
  #undrawn: { readonly seq: number; readonly bytes: number; isDrawn: boolean }[] = [];
  #undrawnBytes = 0;
  #isComplete = false;

  /** `onDrawn` is called with a seq when everything up to it has been drawn. */
  constructor(onDrawn: (seq: number) => void) {
    this.#onDrawn = onDrawn;
  }

  get undrawnBytes(): number {
    return this.#undrawnBytes;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  give(reported: Reported): void {
    if (reported.kind === 'output') this.#undrawnBytes += reported.bytes.length;
    if (this.#sink) this.#report(this.#sink, reported);
    else this.#waiting.push(reported);
  }

  follow(sink: OutputSink): () => void {
    this.#release();
    this.#sink = sink;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const reported of waiting) this.#report(sink, reported);
    return () => {
      if (this.#sink !== sink) return;
      this.#sink = null;
      this.#release();
    };
  }

  #report(sink: OutputSink, reported: Reported): void {
    switch (reported.kind) {
      case 'output':
        sink.output(reported, this.#drawnBy(reported.seq, reported.bytes.length));
        return;
      case 'gap':
        sink.gap(reported);
        return;
      case 'resized':
        sink.resized({ ...reported.size, afterSeq: reported.afterSeq });
        return;
      case 'exited':
        sink.exited(reported);
        return;
      case 'closed':
        this.#isComplete = true;
        sink.closed();
        return;
      case 'reconnected':
        sink.reconnected(reported.isJustNow);
        return;
      case 'refused':
        sink.refused?.(reported.error);
    }
  }

  /** Returns a chunk's `drawn` callback; credit is returned once and in order, however a sink calls it. */
  #drawnBy(seq: number, bytes: number): () => void {
    const entry = { seq, bytes, isDrawn: false };
    this.#undrawn.push(entry);
    return () => {
      entry.isDrawn = true;
      if (this.#undrawn[0] !== entry) return;
      const end = this.#undrawn.findIndex((each) => !each.isDrawn);
      this.#settle(this.#undrawn.splice(0, end < 0 ? this.#undrawn.length : end));
    };
  }

  /** Counts undrawn output as drawn: a removed sink would otherwise block its successor. */
  #release(): void {
    this.#settle(this.#undrawn.splice(0));
  }

  #settle(drawn: readonly { readonly seq: number; readonly bytes: number }[]): void {
    for (const { bytes } of drawn) this.#undrawnBytes -= bytes;
    const last = drawn.at(-1);
    if (last) this.#onDrawn(last.seq);
  }
}
