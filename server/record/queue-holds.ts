// Pauses processes that print faster than the disk accepts, but only for a limited time while no output leaves the
// queue.
import type { RecordLimits } from './limits.ts';

export class QueueHolds {
  readonly #limits: Pick<RecordLimits, 'recordHoldBytes' | 'recordResumeBytes' | 'recordHoldMs'>;
  /** Functions that resume the paused processes, by key. */
  readonly #held = new Map<string, () => void>();
  #timer: NodeJS.Timeout | null = null;
  /** True after a pause of `recordHoldMs` in which no output left the queue, until some does; prevents new pauses. */
  #isStalled = false;

  constructor(limits: Pick<RecordLimits, 'recordHoldBytes' | 'recordResumeBytes' | 'recordHoldMs'>) {
    this.#limits = limits;
  }

  /** Pauses a process when too many bytes are queued; `hold` pauses it and returns a function that resumes it. */
  queued(queuedBytes: number, key: string, hold: () => () => void): void {
    if (queuedBytes <= this.#limits.recordHoldBytes || this.#isStalled || this.#held.has(key)) return;
    this.#held.set(key, hold());
    this.#timer ??= setTimeout(() => this.#stalled(), this.#limits.recordHoldMs);
  }

  /** Reports that output has left the queue, written or lost; `queuedBytes` remain. */
  written(queuedBytes: number): void {
    this.#isStalled = false;
    if (queuedBytes <= this.#limits.recordResumeBytes) this.release();
    else this.#timer?.refresh();
  }

  release(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const goOn of this.#held.values()) goOn();
    this.#held.clear();
  }

  /** Resumes a process whose recording is over, if it is paused. */
  forget(key: string): void {
    this.#held.get(key)?.();
    this.#held.delete(key);
  }

  #stalled(): void {
    this.#isStalled = true;
    this.release();
  }
}
