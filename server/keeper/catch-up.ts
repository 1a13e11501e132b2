// Retains the unread output of a session that was resumed, until the owner has read it.
import { afterPatience } from '../host/patience.ts';
import type { Hold, ProcessView } from './process-view.ts';

/**
 * Retains the events that were retained at the resume, and counts all later output as unread for flow control, until
 * the owner has read the last of these events, or has read nothing for `timeoutMs`.
 */
export class CatchUp {
  readonly #lastMissedSeq: number;
  readonly #timeoutMs: number;
  readonly #hold: Hold;
  readonly #heldOffset: number;
  #readSeq: number;
  #stopWaiting: () => void;
  #over = false;

  constructor(process: ProcessView, timeoutMs: number) {
    const { log } = process;
    log.seal();
    this.#lastMissedSeq = log.nextSeq - 1;
    this.#readSeq = log.firstSeq - 1;
    this.#heldOffset = log.totalBytes;
    this.#hold = process.hold(log.firstSeq, this.#heldOffset);
    this.#timeoutMs = timeoutMs;
    this.#stopWaiting = this.#wait();
  }

  /** Releases the events up to `seq`; call it when the owner has received them. */
  hasRead(seq: number): void {
    if (seq >= this.#lastMissedSeq) this.end();
    if (this.#over || seq <= this.#readSeq) return;
    this.#readSeq = seq;
    this.#hold.release(seq + 1, this.#heldOffset);
    this.#stopWaiting();
    this.#stopWaiting = this.#wait();
  }

  /** True once the owner has read all these events or has read nothing for too long, or `end` was called. */
  get isOver(): boolean {
    return this.#over;
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopWaiting();
    this.#hold.close();
  }

  #wait(): () => void {
    return afterPatience(this.#timeoutMs, () => this.end());
  }
}
