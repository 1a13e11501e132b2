// A process of this client's own session, on any exec-server: its events in order, its stdin, its end.
import type { Stream } from '../protocol/process.ts';
import type { Size } from '../protocol/scalars.ts';
import { EventQueue } from './event-queue.ts';
import { NotOffered, type WriteOutcome } from './exec-client.ts';
import { OrderedEvents, type LogEvent } from './ordered-events.ts';
import { missedEvents, readOwnPage, type OwnPage } from './own-page.ts';
import type { StdinWriter } from './stdin-writer.ts';

/** Event of one process; events come in order, each once. */
export type ProcessEvent =
  | { readonly kind: 'output'; readonly seq: number; readonly stream: Stream; readonly bytes: Uint8Array }
  /** Events that were evicted on the server while the connection was lost. */
  | { readonly kind: 'gap'; readonly afterSeq: number; readonly nextSeq: number }
  /** The process was reaped; output may follow. */
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
    }
  /** Nothing follows. */
  | { readonly kind: 'closed'; readonly seq: number };

export interface ProcessEnd {
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
}

export interface Communicated extends ProcessEnd {
  /** Output of a process with a tty is all stdout. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Ctrl-D: what ends the input of a terminal at the beginning of a line. */
const END_OF_FILE = 4;

/** Most bytes that `communicate` collects, over both streams. */
const COLLECTED_BYTES = 64 * 1024 * 1024;

/** Members of its session that the process needs. */
export interface OwnProcessSession {
  /** True when the server has the additions of exec-console. */
  readonly offersConsole: boolean;
  call(
    method: 'process/signal' | 'process/terminate' | 'process/resize' | 'process/read',
    params: { readonly processId: string; readonly [member: string]: unknown },
  ): Promise<unknown>;
  /** Output comes faster than it is read, or does not any more. */
  full(process: OwnProcess, isFull: boolean): void;
}

export class OwnProcess {
  readonly processId: string;
  readonly #session: OwnProcessSession;
  readonly #writer: StdinWriter;
  readonly #tty: boolean;
  readonly #ordered = new OrderedEvents();
  readonly #queue: EventQueue<ProcessEvent>;
  readonly #waiting = new Set<() => void>();
  #end: ProcessEnd | null = null;
  #failure: Error | null = null;
  #isRead = false;

  constructor(
    processId: string,
    parts: { session: OwnProcessSession; writer: StdinWriter; tty: boolean; seq: number },
  ) {
    this.processId = processId;
    this.#session = parts.session;
    this.#writer = parts.writer;
    this.#tty = parts.tty;
    if (parts.seq > 0) this.#ordered.push({ kind: 'gap', afterSeq: 0, nextSeq: parts.seq + 1, bytes: 0 });
    this.#queue = new EventQueue({ full: (isFull) => this.#session.full(this, isFull) });
  }

  /** True once all events have come. */
  get isClosed(): boolean {
    return this.#ordered.hasClosed;
  }

  /** Null until it has exited. */
  get end(): ProcessEnd | null {
    return this.#end;
  }

  /**
   * Everything it does, from its first event on; once. A reader that is slow slows the process, and one that leaves gets
   * the rest dropped. Throws SessionLost when the server has ended the session.
   */
  events(): AsyncGenerator<ProcessEvent, void, void> {
    if (this.#isRead) throw new Error(`the events of process ${this.processId} are read already`);
    this.#isRead = true;
    return this.#queue.read();
  }

  /** Writes in order and each byte once, also over a lost connection, during which up to 16 MiB are kept. */
  async write(bytes: Uint8Array): Promise<WriteOutcome> {
    if (this.#failure) throw this.#failure;
    return this.isClosed ? 'stdinClosed' : this.#writer.write(bytes);
  }

  /** Rejects with NotOffered on a server that cannot, but for a terminal, whose end of file is a byte. */
  async closeStdin(): Promise<WriteOutcome> {
    if (this.#tty) return this.write(Uint8Array.of(END_OF_FILE));
    this.#demandConsole('process/closeStdin');
    for (;;) {
      if (this.isClosed) return 'stdinClosed';
      const outcome = await this.#writer.closeStdin();
      // An end of stdin that may not have arrived is sent again: a second one has no effect.
      if (outcome !== 'inDoubt' || this.#failure) return outcome;
    }
  }

  /** Unless its events are read, waiting drops its output. */
  async wait(until: 'exited' | 'closed' = 'closed'): Promise<ProcessEnd> {
    if (!this.#isRead) this.#queue.discard();
    const isOver = (): boolean => (until === 'exited' ? this.#end !== null : this.isClosed);
    while (!isOver() && !this.#failure) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    if (this.#end && isOver()) return this.#end;
    throw (
      this.#failure ?? new Error(`invariant violation: process ${this.processId} closed before it exited`)
    );
  }

  /**
   * Writes, closes stdin, and collects all output: at most `limitBytes`, beyond which it rejects and the process runs
   * on. Without `input` stdin is left alone. Rejects with NotOffered, before anything is written, on a server that
   * cannot close a stdin.
   */
  async communicate(input?: Uint8Array, limitBytes = COLLECTED_BYTES): Promise<Communicated> {
    if (input !== undefined && !this.#tty) this.#demandConsole('process/closeStdin');
    const events = this.events();
    const sent = input === undefined ? Promise.resolve() : this.write(input).then(() => this.closeStdin());
    // A failure of its input is reported after its output, since printing may block the process.
    sent.catch(() => undefined);
    const parts: { stdout: Uint8Array[]; stderr: Uint8Array[] } = { stdout: [], stderr: [] };
    let size = 0;
    for await (const event of events) {
      if (event.kind === 'gap') throw new Error(`output of process ${this.processId} is lost`);
      if (event.kind !== 'output') continue;
      size += event.bytes.length;
      if (size > limitBytes)
        throw new Error(`process ${this.processId} has printed more than ${limitBytes} bytes`);
      parts[event.stream === 'stderr' ? 'stderr' : 'stdout'].push(event.bytes);
    }
    await sent;
    return { ...(await this.wait()), stdout: joined(parts.stdout), stderr: joined(parts.stderr) };
  }

  /** SIGINT to its group, on a terminal to the foreground job. */
  async interrupt(): Promise<void> {
    await this.signal('interrupt');
  }

  /** Sends it to its group, on a terminal a key's signal to the foreground job; an exec-server takes only `interrupt`. */
  async signal(signal: 'interrupt' | 'terminate' | 'hangup' | 'quit'): Promise<void> {
    if (signal !== 'interrupt') this.#demandConsole('process/signal');
    await this.#session.call('process/signal', { processId: this.processId, signal });
  }

  /** SIGKILL to its group, at once; with a grace SIGTERM first. Only exec-console heeds `how`. */
  async terminate(
    how: { readonly graceMs?: number; readonly unlessPinned?: boolean } = {},
  ): Promise<{ readonly running: boolean }> {
    const result = await this.#session.call('process/terminate', { processId: this.processId, ...how });
    return { running: (result as { running?: unknown } | null)?.running === true };
  }

  async resize({ rows, cols }: Size): Promise<void> {
    this.#demandConsole('process/resize');
    await this.#session.call('process/resize', { processId: this.processId, rows, cols });
  }

  /**
   * Remaining events: `none` while the server has no more than came here, `some`, or `all` once the
   * server has its end. Rejects when the connection is lost.
   */
  async rest(): Promise<'none' | 'some' | 'all'> {
    if (this.isClosed) return 'all';
    const asked = { processId: this.processId, afterSeq: this.lastSeq, maxBytes: 1 };
    const page = readOwnPage(await this.#session.call('process/read', asked));
    if (!page || page.isClosed) return 'all';
    // Events that were sent before the answer have come by now.
    return page.nextSeq - 1 > this.lastSeq ? 'some' : 'none';
  }

  /** The seq after which it wants to know what it has missed. */
  get lastSeq(): number {
    return this.#ordered.lastSeq;
  }

  push(event: LogEvent): void {
    for (const given of this.#ordered.push(event)) this.#give(given);
  }

  /** Adds the events that the server retained while there was no connection. */
  caughtUp(page: OwnPage): void {
    for (const event of missedEvents(page, this.#ordered)) this.push(event);
  }

  offline(): void {
    this.#ordered.forgetEarly();
  }

  /** Nothing more will come. */
  fail(error: Error): void {
    if (this.isClosed) return;
    this.#failure ??= error;
    this.#queue.end(error);
    this.#wakeAll();
  }

  #demandConsole(method: string): void {
    if (!this.#session.offersConsole) throw new NotOffered(method);
  }

  #give(event: LogEvent): void {
    switch (event.kind) {
      case 'output':
        this.#queue.push(
          { kind: 'output', seq: event.seq, stream: event.stream, bytes: event.bytes },
          event.bytes.length,
        );
        return;
      case 'gap':
        this.#queue.push({ kind: 'gap', afterSeq: event.afterSeq, nextSeq: event.nextSeq }, 0);
        return;
      case 'exited':
        this.#end = { exitCode: event.exitCode, sandboxDenied: event.sandboxDenied };
        this.#queue.push(event, 0);
        break;
      case 'closed':
        this.#queue.push(event, 0);
        this.#queue.end(null);
        break;
      case 'resized':
        return;
    }
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
