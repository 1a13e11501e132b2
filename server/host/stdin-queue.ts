// What is written to one child and not read by it yet: a queue that takes writes at once, and beyond it writes that wait.
import type { Child, WriteOutcome } from './child.ts';

export interface StdinQueueLimits {
  /** Of one process: at the first of them a write waits. */
  readonly stdinQueueBytes: number;
  readonly stdinQueueWrites: number;
  /** What the writes that wait may have; a write beyond it is refused. */
  readonly stdinWaitingBytes: number;
  /** Of all processes, queued and waiting each: beyond it one process has room only for `stdinFairBytes`. */
  readonly stdinAllBytes: number;
  readonly stdinFairBytes: number;
}

/** Too much waits already: nothing of this write was taken. */
export class StdinFull extends Error {}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly settle: (outcome: WriteOutcome | Promise<WriteOutcome>) => void;
}

/** Over all processes. */
const all = { queuedBytes: 0, waitingBytes: 0 };

export class StdinQueue {
  readonly #child: Pick<Child, 'write' | 'closeStdin'>;
  readonly #limits: StdinQueueLimits;
  #queuedBytes = 0;
  #queuedWrites = 0;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #endsThen = false;

  constructor(child: Pick<Child, 'write' | 'closeStdin'>, limits: StdinQueueLimits) {
    this.#child = child;
    this.#limits = limits;
  }

  /** Resolves when the write is queued. Throws StdinFull. */
  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    return this.#waiting.length > 0 || this.#isFull ? this.#wait(bytes) : this.#give(bytes);
  }

  /** The end of stdin, after all that was written before. */
  end(): void {
    if (this.#waiting.length > 0) this.#endsThen = true;
    else this.#child.closeStdin();
  }

  /** The program has ended: what waits is not given to whatever else may hold its stdin. */
  exited(): void {
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
      throw new StdinFull(`more than ${most} bytes wait for the process to read its stdin`);
    }
    this.#countWaiting(bytes.length);
    return new Promise((settle) => this.#waiting.push({ bytes, settle }));
  }

  #give(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    const outcome = this.#child.write(bytes);
    if (!(outcome instanceof Promise)) return outcome;
    this.#countQueued(bytes.length, 1);
    const taken = outcome.then((settled) => {
      this.#countQueued(-bytes.length, -1);
      this.#goOn();
      return settled;
    });
    // A turn of the loop is enough to hear that nobody reads any more; being queued is what `accepted` promises.
    const queued = new Promise<WriteOutcome>((resolve) => {
      setImmediate(() => resolve('accepted'));
    });
    return Promise.race([taken, queued]);
  }

  #goOn(): void {
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
