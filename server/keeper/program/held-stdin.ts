// Stdin of a process in the keeper: each write is queued once, and answered.
import type { Child } from '../../host/child.ts';
import { StdinFull } from '../process-view.ts';
import { StdinQueue, type StdinQueueLimits } from '../writes.ts';
import { Written } from '../wire/messages.ts';

export interface StdinState {
  readonly applied: number;
  readonly closedFrom: number | null;
  /** True when stdin is to be closed after all queued and waiting writes. */
  readonly endsThen: boolean;
}

/** A write that waits for room in the queue. */
export interface WaitingWrite {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export class HeldStdin {
  readonly #queue: StdinQueue;
  readonly #answer: (payload: Buffer) => void;
  /** Numbers of unanswered writes, in order. */
  readonly #unanswered = new Set<number>();
  #applied = 0;
  #closedFrom: number | null = null;

  /** `answer` is called with the encoded answer to each write. */
  constructor(child: Child, limits: StdinQueueLimits, answer: (payload: Buffer) => void) {
    this.#queue = new StdinQueue(child, limits);
    this.#answer = answer;
  }

  /** Highest number of a write that was not rejected with `full`; 0 before the first. */
  get applied(): number {
    return this.#applied;
  }

  /** Number of the first write that was answered with `closed`; null while there is none. */
  get closedFrom(): number | null {
    return this.#closedFrom;
  }

  get state(): StdinState {
    return { applied: this.#applied, closedFrom: this.#closedFrom, endsThen: this.#queue.endsThen };
  }

  /** Writes that wait for room in the queue, in order. */
  get waiting(): readonly WaitingWrite[] {
    const waiting = this.#queue.waiting;
    // Earlier unanswered writes are queued already, and are answered in the next turn.
    const seqs = [...this.#unanswered].slice(this.#unanswered.size - waiting.length);
    return waiting.map((bytes, at) => ({ seq: seqs[at] ?? 0, bytes }));
  }

  /**
   * Takes over the state of the previous program. Its `queued` writes are not answered here: they count as accepted.
   */
  takeOver(
    { applied, closedFrom, endsThen }: StdinState,
    queued: readonly Uint8Array[],
    waiting: readonly WaitingWrite[],
  ): void {
    this.#applied = applied;
    this.#closedFrom = closedFrom;
    for (const bytes of queued) void this.#queue.takeOver(bytes);
    for (const { seq, bytes } of waiting) this.#answerLater(seq, this.#queue.takeOver(bytes));
    if (endsThen) this.#queue.end();
    this.#queue.goOn();
  }

  write(seq: number, bytes: Buffer): void {
    if (seq <= this.#applied) return this.#written(seq, 'accepted');
    try {
      const outcome = this.#queue.write(bytes);
      this.#applied = seq;
      if (outcome instanceof Promise) this.#answerLater(seq, outcome);
      else this.#written(seq, outcome);
    } catch (error) {
      if (!(error instanceof StdinFull)) throw error;
      this.#written(seq, 'full', error.message);
    }
  }

  end(): void {
    this.#queue.end();
  }

  exited(): void {
    this.#queue.exited();
  }

  #answerLater(seq: number, outcome: ReturnType<StdinQueue['takeOver']>): void {
    this.#unanswered.add(seq);
    void outcome.then((settled) => {
      this.#unanswered.delete(seq);
      this.#written(seq, settled);
    });
  }

  #written(seq: number, outcome: keyof typeof Written, reason = ''): void {
    if (outcome === 'closed') this.#closedFrom ??= seq;
    const payload = Buffer.alloc(9 + Buffer.byteLength(reason));
    payload.writeBigUInt64LE(BigInt(seq), 0);
    payload.writeUInt8(Written[outcome], 8);
    payload.write(reason, 9);
    this.#answer(payload);
  }
}
