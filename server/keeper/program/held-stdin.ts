// The input of a process in the keeper: each write is queued once, and answered.
import type { Child } from '../../host/child.ts';
import { StdinFull } from '../process-view.ts';
import { StdinQueue, type StdinQueueLimits } from '../writes.ts';
import { Written } from '../wire/messages.ts';

export class HeldStdin {
  readonly #queue: StdinQueue;
  readonly #answer: (payload: Buffer) => void;
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

  write(seq: number, bytes: Buffer): void {
    if (seq <= this.#applied) return this.#written(seq, 'accepted');
    try {
      const outcome = this.#queue.write(bytes);
      this.#applied = seq;
      if (outcome instanceof Promise) void outcome.then((settled) => this.#written(seq, settled));
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

  #written(seq: number, outcome: keyof typeof Written, reason = ''): void {
    if (outcome === 'closed') this.#closedFrom ??= seq;
    const payload = Buffer.alloc(9 + Buffer.byteLength(reason));
    payload.writeBigUInt64LE(BigInt(seq), 0);
    payload.writeUInt8(Written[outcome], 8);
    payload.write(reason, 9);
    this.#answer(payload);
  }
}
