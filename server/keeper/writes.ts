// Stdin of one process: a write that a writer repeats is made only once, and returns its first outcome again.
import type { WriteResult } from '../../protocol/process.ts';
import { bytesText } from '../../text/amounts.ts';
import type { Child, InputQueue, WriteOrigin, WriteOutcome } from '../host/child.ts';
import { StdinFull, type Writer } from './process-view.ts';
import type { ProcessNotes, TypedSoFar } from './process-notes.ts';
import { TypedLines, type Typed } from './typed.ts';
import { WriteIds } from './write-ids.ts';

export type WriteStatus = WriteResult['status'];

export interface StdinQueueLimits {
  /** Queue limits of one process; writes wait when either is reached. */
  readonly stdinQueueBytes: number;
  readonly stdinQueueWrites: number;
  /** Maximum number of bytes in the waiting writes of one process; a write beyond it is rejected. */
  readonly stdinWaitingBytes: number;
  /**
   * Limit on the queued bytes of all processes, and also on their waiting bytes; once it is reached, each process
   * may use only `stdinFairBytes`.
   */
  readonly stdinAllBytes: number;
  readonly stdinFairBytes: number;
}

export interface WriteLimits extends StdinQueueLimits {
  readonly writeIds: number;
}

interface Settled {
  readonly bytes: number;
  readonly outcome: WriteOutcome;
}

type Written = Pick<Child, 'write' | 'closeStdin' | 'input'>;

export class Writes {
  readonly #queue: InputQueue;
  /** True when the queue is in another program, which may still reject a write. */
  readonly #mayRefuse: boolean;
  readonly #limits: WriteLimits;
  readonly #ids = new Map<string, WriteIds>();
  /** Ids of writes that failed because the child no longer read. */
  readonly #refused = new Map<string, WriteIds>();
  readonly #unsettled = new Map<string, Promise<WriteStatus>>();
  #acceptedBytes = 0;

  constructor(child: Written, limits: WriteLimits) {
    this.#queue = child.input ?? new StdinQueue(child, limits);
    this.#mayRefuse = child.input !== undefined;
    this.#limits = limits;
  }

  /** Bytes accepted from all writers through this gateway; a repeated write counts once. */
  get acceptedBytes(): number {
    return this.#acceptedBytes;
  }

  /** Returns the known or pending outcome of a write; null when the write is new or no longer remembered. */
  answered(session: string, writeId: string): WriteStatus | Promise<WriteStatus> | null {
    const unsettled = this.#unsettled.get(idOf(session, writeId));
    if (unsettled) return unsettled;
    if (!this.#ids.get(session)?.has(writeId)) return null;
    return this.#refused.get(session)?.has(writeId) ? 'stdinClosed' : 'accepted';
  }

  /** Stores the outcome of a write made by an earlier gateway, so that a repeated request returns it. */
  remember({ session, writeId }: WriteOrigin, outcome: WriteOutcome, bytes: number): void {
    this.#note(this.#ids, session, writeId);
    this.#settled(session, writeId, { bytes, outcome });
  }

  /** Makes a new write. A write that fails with StdinFull is not remembered, and may be repeated. */
  add(session: string, writeId: string, chunk: Buffer): WriteStatus | Promise<WriteStatus> {
    const bytes = chunk.length;
    const outcome = bytes === 0 ? 'accepted' : this.#queue.write(chunk, { session, writeId });
    if (!this.#mayRefuse || !(outcome instanceof Promise)) this.#note(this.#ids, session, writeId);
    // Typed input is written synchronously, so that nothing delays its echo.
    if (!(outcome instanceof Promise)) return this.#settled(session, writeId, { bytes, outcome });
    const id = idOf(session, writeId);
    const status = outcome.then(
      (settled) => {
        this.#unsettled.delete(id);
        if (this.#mayRefuse) this.#note(this.#ids, session, writeId);
        return this.#settled(session, writeId, { bytes, outcome: settled });
      },
      (error: unknown) => {
        this.#unsettled.delete(id);
        throw error;
      },
    );
    this.#unsettled.set(id, status);
    return status;
  }

  /** Closes stdin after all earlier writes. */
  end(): void {
    this.#queue.end();
  }

  /** Drops waiting writes when the program has ended. */
  exited(): void {
    this.#queue.exited();
  }

  /** Forgets the ids of a session that will not write again; without `session`, all ids. */
  forget(session?: string): void {
    for (const ids of [this.#ids, this.#refused]) {
      for (const writer of session === undefined ? [...ids.keys()] : [session]) {
        ids.get(writer)?.forget();
        ids.delete(writer);
      }
    }
  }

  #note(ids: Map<string, WriteIds>, session: string, writeId: string): void {
    const known = ids.get(session) ?? new WriteIds(this.#limits.writeIds);
    ids.set(session, known);
    known.add(writeId);
  }

  #settled(session: string, writeId: string, { bytes, outcome }: Settled): WriteStatus {
    if (outcome === 'accepted') {
      this.#acceptedBytes += bytes;
      return 'accepted';
    }
    this.#note(this.#refused, session, writeId);
    return 'stdinClosed';
  }
}

const idOf = (session: string, writeId: string): string => JSON.stringify([session, writeId]);

interface Waiting {
  readonly bytes: Uint8Array;
  readonly settle: (outcome: WriteOutcome | Promise<WriteOutcome>) => void;
}

/** Sums over all processes. */
const all = { queuedBytes: 0, waitingBytes: 0 };

export class StdinQueue implements InputQueue {
  readonly #child: Pick<Child, 'write' | 'closeStdin'>;
  readonly #limits: StdinQueueLimits;
  #queuedBytes = 0;
  #queuedWrites = 0;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #endsThen = false;
  #hasExited = false;

  constructor(child: Pick<Child, 'write' | 'closeStdin'>, limits: StdinQueueLimits) {
    this.#child = child;
    this.#limits = limits;
  }

  /**
   * Queues the write, or waits until there is room; returns `closed` once the program has ended. Throws StdinFull when
   * too much is waiting.
   */
  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    if (this.#hasExited) return 'closed';
    return this.#waiting.length > 0 || this.#isFull ? this.#wait(bytes) : this.#give(bytes);
  }

  get waiting(): readonly Uint8Array[] {
    return this.#waiting.map(({ bytes }) => bytes);
  }

  get endsThen(): boolean {
    return this.#endsThen;
  }

  /**
   * Adds a waiting write without checking the limit. Call `goOn` after the last one taken over from an earlier queue.
   */
  takeOver(bytes: Uint8Array): Promise<WriteOutcome> {
    this.#countWaiting(bytes.length);
    return new Promise((settle) => this.#waiting.push({ bytes, settle }));
  }

  /** Closes stdin after all earlier writes. */
  end(): void {
    if (this.#waiting.length > 0) this.#endsThen = true;
    else this.#child.closeStdin();
  }

  /** Passes waiting writes to the child, as far as there is room; after the last one, closes stdin if `endsThen`. */
  goOn(): void {
    while (!this.#isFull) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#countWaiting(-next.bytes.length);
      next.settle(this.#give(next.bytes));
    }
    if (!this.#endsThen || this.#waiting.length > 0) return;
    this.#endsThen = false;
    this.#child.closeStdin();
  }

  /** Drops waiting and later writes when the program has ended, since another process may hold its stdin open. */
  exited(): void {
    this.#hasExited = true;
    for (const { bytes, settle } of this.#waiting.splice(0)) {
      this.#countWaiting(-bytes.length);
      settle('closed');
    }
  }

  get #isFull(): boolean {
    const { stdinQueueBytes, stdinQueueWrites, stdinAllBytes, stdinFairBytes } = this.#limits;
    const most = all.queuedBytes < stdinAllBytes ? stdinQueueBytes : stdinFairBytes;
    return this.#queuedBytes >= most || this.#queuedWrites >= stdinQueueWrites;
  }

  #wait(bytes: Uint8Array): Promise<WriteOutcome> {
    const { stdinWaitingBytes, stdinAllBytes, stdinFairBytes } = this.#limits;
    const most = all.waitingBytes < stdinAllBytes ? stdinWaitingBytes : stdinFairBytes;
    if (this.#waitingBytes + bytes.length > most) {
      throw new StdinFull(
        `the input was not written, because more than ${bytesText(most)} would be waiting for the process to read it; try again later`,
      );
    }
    return this.takeOver(bytes);
  }

  #give(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    const outcome = this.#child.write(bytes);
    if (!(outcome instanceof Promise)) return outcome;
    this.#countQueued(bytes.length, 1);
    const taken = outcome.then((settled) => {
      this.#countQueued(-bytes.length, -1);
      this.goOn();
      return settled;
    });
    // One event-loop turn is enough to notice that the child no longer reads; `accepted` only means queued.
    const queued = new Promise<WriteOutcome>((resolve) => {
      setImmediate(() => resolve('accepted'));
    });
    return Promise.race([taken, queued]);
  }

  #countQueued(bytes: number, writes: number): void {
    this.#queuedBytes += bytes;
    all.queuedBytes += bytes;
    this.#queuedWrites += writes;
  }

  #countWaiting(bytes: number): void {
    this.#waitingBytes += bytes;
    all.waitingBytes += bytes;
  }
}

/** The input of one process: whether it is open, and the writers that used it last. */
export class ProcessInput {
  readonly #child: Child;
  readonly #writes: Writes;
  readonly #onInput: (who: string, bytes: Buffer) => void;
  readonly #notes: ProcessNotes | null;
  readonly #typed = new TypedLines();
  #lastInput: (Writer & { readonly atMs: number }) | null = null;
  #isClosed = false;
  /** True when the program has ended, or cannot be reached. */
  #isOver = false;

  /** `onInput` is called with the bytes of each new write while `isOpen` is true, unless the queue is full. */
  constructor(
    child: Child,
    limits: WriteLimits,
    onInput: (who: string, bytes: Buffer) => void,
    notes: ProcessNotes | null = null,
  ) {
    this.#child = child;
    this.#notes = notes;
    this.#writes = new Writes(child, limits);
    this.#onInput = onInput;
  }

  /** False when there is no stdin, it was closed, or the program has ended or cannot be reached. */
  get isOpen(): boolean {
    return this.#child.writable && !this.#isClosed && !this.#isOver;
  }
  get lastInput(): (Writer & { readonly atMs: number }) | null {
    return this.#lastInput;
  }
  get typed(): readonly Typed[] {
    return this.#typed.all;
  }
  get acceptedBytes(): number {
    return this.#writes.acceptedBytes;
  }

  write({ session, who }: Writer, writeId: string, bytes: Buffer): WriteStatus | Promise<WriteStatus> {
    if (!this.#child.writable) return 'stdinClosed';
    // A repeated write returns its first outcome, even if stdin has been closed since.
    const answered = this.#writes.answered(session, writeId);
    if (answered !== null) return answered;
    if (!this.isOpen) return 'stdinClosed';
    // The write is made first, since a person is waiting for the echo.
    const status = this.#writes.add(session, writeId, bytes);
    if (bytes.length > 0) {
      this.#lastInput = { session, who, atMs: Date.now() };
      const typed = this.#typed.add({ session, who }, bytes);
      if (typed) this.#notes?.typed({ ...typed, atMs: Date.now() });
      this.#onInput(who, bytes);
    }
    return status;
  }

  /** Restores the counts of lines typed through earlier gateways, and the last writer. */
  restore(typed: readonly TypedSoFar[]): void {
    for (const { session, who, atMs, ...more } of typed) {
      this.#typed.set({ session, who, ...more });
      this.#lastInput = { session, who, atMs };
    }
  }

  /** Stores the outcome of a write made by an earlier gateway; its bytes are not counted. */
  remember(origin: WriteOrigin, outcome: WriteOutcome): void {
    this.#writes.remember(origin, outcome, 0);
  }

  forgetWriter(session?: string): void {
    this.#writes.forget(session);
  }

  end(): void {
    // End of file is just a byte (Ctrl-D) on a terminal; the program can continue to read after it.
    this.#isClosed = !this.#child.tty;
    this.#writes.end();
  }

  /** Closes the input when the program has ended or cannot be reached. */
  over(): void {
    this.#isOver = true;
    this.#writes.exited();
  }
}
