// Retention, after a resume, of the output that the owner missed, until it has read that output.
import { afterPatience } from '../host/patience.ts';
import type { Hold, ProcessView } from './process-view.ts';

/**
 * Retains the events that were retained at the resume, and pauses the process as for a reader without progress, until
 * the owner has read the last missed event or a timeout has passed.
 */
export class CatchUp {
  readonly #lastMissedSeq: number;
  readonly #stopWaiting: () => void;
  readonly #hold: Hold;
  #over = false;

  constructor(process: ProcessView, timeoutMs: number) {
    const { log } = process;
    log.seal();
    this.#lastMissedSeq = log.nextSeq - 1;
    this.#hold = process.hold(log.firstSeq, log.totalBytes);
    this.#stopWaiting = afterPatience(timeoutMs, () => this.end());
  }

  /** Called when the owner has received everything up to `seq`. */
  hasRead(seq: number): void {
    if (seq >= this.#lastMissedSeq) this.end();
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopWaiting();
    this.#hold.close();
  }
}
