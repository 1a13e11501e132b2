// The input of a process in the keeper: each write is queued once, and answered.
import type { Child } from '../../host/child.ts';
import { StdinFull } from '../process-view.ts';
import { StdinQueue, type StdinQueueLimits } from '../writes.ts';
import { Written } from '../wire/messages.ts';

export interface StdinState {
  readonly applied: number;
  readonly closedFrom: number | null;
  /** True when it ends after what is queued and what waits. */
  readonly endsThen: boolean;
}

/** A write that was not answered. */
export interface WaitingWrite {
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export class HeldStdin {
  readonly #queue: StdinQueue;
  readonly #answer: (payload: Buffer) => void;
  /** Writes that are not answered, in order. */
  readonly #unanswered = new Set<number>();
  #applied = 0;
  #closedFrom: number | null = null;

  /** `answer` is called with the payload of the answer to each write. */
  constructor(child: Child, limits: StdinQueueLimits, answer: (payload: Buffer) => void) {
    this.#queue = new StdinQueue(child, limits);
    this.#answer = answer;
  }

  /** The highest number of a write that was queued. */
  get applied(): number {
    return this.#applied;
  }

  /** The first write that came when nothing read it any more; null when there is none. */
  get closedFrom(): number | null {
    return this.#closedFrom;
  }

  get state(): StdinState {
    return { applied: this.#applied, closedFrom: this.#closedFrom, endsThen: this.#queue.endsThen };
  }

  /** Writes that are not queued yet, in order. */
  get waiting(): readonly WaitingWrite[] {
    const waiting = this.#queue.waiting;
    // Those before have been queued, and are answered in the next turn.
    const seqs = [...this.#unanswered].slice(this.#unanswered.size - waiting.length);
    return waiting.map((bytes, at) => ({ seq: seqs[at] ?? 0, bytes }));
  }

  /** Goes on with what an earlier program has had; `queued` has been answered. */
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
