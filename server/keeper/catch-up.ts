// Keeps, after a resume, the output that the owner missed until it has read it, however much the process prints
// meanwhile.
import { afterPatience } from '../host/patience.ts';
import type { Hold, ProcessView } from './process-view.ts';

/**
 * Keeps the events retained at the resume, and holds the process back as if the owner had read no later output. Ends
 * with the owner's read of the last missed event, or after a time.
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

  /** Notes that the owner has been sent everything up to `seq`. */
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
