// Holds back processes that print faster than the disk takes it; a disk that takes nothing holds nobody for long.
import type { RecordLimits } from './limits.ts';

export class QueueHolds {
  readonly #limits: Pick<RecordLimits, 'recordHoldBytes' | 'recordResumeBytes' | 'recordHoldMs'>;
  /** Functions that let the held processes go on, by key. */
  readonly #held = new Map<string, () => void>();
  #timer: NodeJS.Timeout | null = null;
  /** True while the disk has taken nothing for too long. */
  #isStalled = false;

  constructor(limits: Pick<RecordLimits, 'recordHoldBytes' | 'recordResumeBytes' | 'recordHoldMs'>) {
    this.#limits = limits;
  }

  /** More is queued: `queuedBytes` in all, the last of a process that `hold` holds back until its result is called. */
  queued(queuedBytes: number, key: string, hold: () => () => void): void {
    if (queuedBytes <= this.#limits.recordHoldBytes || this.#isStalled || this.#held.has(key)) return;
    this.#held.set(key, hold());
    this.#timer ??= setTimeout(() => this.#stalled(), this.#limits.recordHoldMs);
  }

  /** The disk has taken something, and `queuedBytes` are left. */
  written(queuedBytes: number): void {
    this.#isStalled = false;
    if (queuedBytes <= this.#limits.recordResumeBytes) this.release();
    else this.#timer?.refresh();
  }

  /** Lets all go on. */
  release(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    for (const goOn of this.#held.values()) goOn();
    this.#held.clear();
  }

  /** Lets one go on, which may be over. */
  forget(key: string): void {
    this.#held.get(key)?.();
    this.#held.delete(key);
  }

  #stalled(): void {
    this.#isStalled = true;
    this.release();
  }
}
