// A process of this client's session, on any exec-server: ordered events, stdin, and exit.
import { numberText } from '../protocol/number-text.ts';
import type { Stream } from '../protocol/process.ts';
import type { Size } from '../protocol/scalars.ts';
import { EventQueue } from './event-queue.ts';
import { NotOffered, type WriteOutcome } from './exec-client.ts';
import { OrderedEvents, type LogEvent } from './ordered-events.ts';
import { missedEvents, readOwnPage, type OwnPage } from './own-page.ts';
import type { StdinWriter } from './stdin-writer.ts';

/** Event of one process; events arrive in order, each once. */
export type ProcessEvent =
  | { readonly kind: 'output'; readonly seq: number; readonly stream: Stream; readonly bytes: Uint8Array }
  /** Events that the server evicted while the connection was lost. */
  | { readonly kind: 'gap'; readonly afterSeq: number; readonly nextSeq: number }
  /** The process has exited and been reaped; output may follow. */
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly exitCode: number;
      readonly sandboxDenied: boolean;
    }
  /** Last event. */
  | { readonly kind: 'closed'; readonly seq: number };

export interface ProcessEnd {
  readonly exitCode: number;
  readonly sandboxDenied: boolean;
}

export interface Communicated extends ProcessEnd {
  /** Output of stdout; with a tty, all output. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Ctrl-D, which ends a terminal's input at the beginning of a line. */
const END_OF_FILE = 4;

/** Default maximum number of bytes that `communicate` collects from both streams together. */
const COLLECTED_BYTES = 64 * 1024 * 1024;

/** Parts of the session that a process uses. */
export interface OwnProcessSession {
  /** True when the server has exec-console's extensions. */
  readonly offersConsole: boolean;
  call(
    method: 'process/signal' | 'process/terminate' | 'process/resize' | 'process/read',
    params: { readonly processId: string; readonly [member: string]: unknown },
  ): Promise<unknown>;
  /** Called with true when output arrives faster than it is read, and with false when there is room again. */
  full(process: OwnProcess, isFull: boolean): void;
}

export class OwnProcess {
  readonly processId: string;
  readonly #session: OwnProcessSession;
  readonly #writer: StdinWriter;
  readonly tty: boolean;
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
    this.tty = parts.tty;
    if (parts.seq > 0) this.#ordered.push({ kind: 'gap', afterSeq: 0, nextSeq: parts.seq + 1, bytes: 0 });
    this.#queue = new EventQueue({ full: (isFull) => this.#session.full(this, isFull) });
  }

  /** True once all events have arrived. */
  get isClosed(): boolean {
    return this.#ordered.hasClosed;
  }

  /** Exit status; null until the process has exited. */
  get end(): ProcessEnd | null {
    return this.#end;
  }

  /**
   * Returns all events, or, for a process that was taken over, those after the last event that the previous client had
   * read. A second call throws. A slow reader slows the process down; in a browser, reading fails at 64 MiB of unread
   * output instead. After a reader stops, the rest is dropped. Reading throws SessionLost once the session has ended.
   */
  events(): AsyncGenerator<ProcessEvent, void, void> {
    if (this.#isRead) throw new Error(`the events of process ${this.processId} can be read only once`);
    this.#isRead = true;
    return this.#queue.read();
  }

  /** Writes in order, each byte once, even across a lost connection. Rejects when over 16 MiB would be queued. */
  async write(bytes: Uint8Array): Promise<WriteOutcome> {
    if (this.#failure) throw this.#failure;
    return this.isClosed ? 'stdinClosed' : this.#writer.write(bytes);
  }

  /** Sends Ctrl-D on a terminal; otherwise closes stdin, or rejects with NotOffered if the server can't. */
  async closeStdin(): Promise<WriteOutcome> {
    if (this.tty) return this.write(Uint8Array.of(END_OF_FILE));
    this.#demandConsole('process/closeStdin');
    for (;;) {
      if (this.isClosed) return 'stdinClosed';
      const outcome = await this.#writer.closeStdin();
      // An end of stdin that may not have arrived is sent again; a second one has no effect.
      if (outcome !== 'inDoubt' || this.#failure) return outcome;
    }
  }

  /**
   * Waits for the exit or (default) the last event; drops the output unless the events are being read. Rejects with
   * SessionLost when the session ends first.
   */
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
   * Writes, closes stdin and collects all output. Beyond `limitBytes` it rejects and the process keeps
   * running. Without `input`, stdin is left open. Rejects with NotOffered before writing if the server can't
   * close stdin.
   */
  async communicate(input?: Uint8Array, limitBytes = COLLECTED_BYTES): Promise<Communicated> {
    if (input !== undefined && !this.tty) this.#demandConsole('process/closeStdin');
    const events = this.events();
    const sent = input === undefined ? Promise.resolve() : this.write(input).then(() => this.closeStdin());
    // An input error is thrown only after the output is read, since a process that blocks on printing reads
    // no input.
    sent.catch(() => undefined);
    const parts: { stdout: Uint8Array[]; stderr: Uint8Array[] } = { stdout: [], stderr: [] };
    let size = 0;
    for await (const event of events) {
      if (event.kind === 'gap')
        throw new Error(`output of process ${this.processId} was evicted while the connection was lost`);
      if (event.kind !== 'output') continue;
      size += event.bytes.length;
      if (size > limitBytes)
        throw new Error(
          `process ${this.processId} has printed more than ${numberText(limitBytes)} bytes; set a higher limitBytes, or read events()`,
        );
      parts[event.stream === 'stderr' ? 'stderr' : 'stdout'].push(event.bytes);
    }
    await sent;
    return { ...(await this.wait()), stdout: joined(parts.stdout), stderr: joined(parts.stderr) };
  }

  /** Sends SIGINT to the process group; on a terminal, to the foreground job. */
  async interrupt(): Promise<void> {
    await this.signal('interrupt');
  }

  /**
   * Sends a signal to the process group; on a terminal, `interrupt` and `quit` go to the foreground job instead. Other
   * exec-servers support only `interrupt`.
   */
  async signal(signal: 'interrupt' | 'terminate' | 'hangup' | 'quit'): Promise<void> {
    if (signal !== 'interrupt') this.#demandConsole('process/signal');
    await this.#session.call('process/signal', { processId: this.processId, signal });
  }

  /**
   * Sends SIGKILL to the process group. With a grace period: sends SIGTERM to the whole OS session, and SIGKILL
   * after that period. Only exec-console supports `how`.
   */
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
   * Resolves with the part of the events after `lastSeq` that the server has: `none`, `some`, or `all` when
   * it includes `closed`. Rejects when the connection is lost.
   */
  async rest(): Promise<'none' | 'some' | 'all'> {
    if (this.isClosed) return 'all';
    const asked = { processId: this.processId, afterSeq: this.lastSeq, maxBytes: 1 };
    const page = readOwnPage(await this.#session.call('process/read', asked));
    if (!page || page.isClosed) return 'all';
    // Events sent before the reply have arrived by now.
    return page.nextSeq - 1 > this.lastSeq ? 'some' : 'none';
  }

  /** Seq up to which all events have been emitted or are known to be missing. */
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

  /** Ends the events with this error, since no more will arrive; no effect once the process is closed. */
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
