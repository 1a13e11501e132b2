// After a resume: keeps what the owner missed until it has read it, however much the process prints meanwhile.
import { afterPatience } from '../host/patience.ts';
import type { Process } from './process.ts';

/**
 * What was retained at the resume stays retained, and the process is held back as if the owner had read nothing of
 * what follows. Ends with the owner's read of the last missed event, or after a time.
 */
export class CatchUp {
  readonly #lastMissedSeq: number;
  readonly #stopWaiting: () => void;
  readonly #unkeep: () => void;
  readonly #release: () => void;
  #over = false;

  constructor(process: Process, timeoutMs: number) {
    const { log, flow } = process;
    log.seal();
    const { firstSeq } = log;
    this.#unkeep = log.keep(() => firstSeq);
    this.#lastMissedSeq = log.nextSeq - 1;
    const from = log.totalBytes;
    this.#release = flow.hold({ unreadBytes: () => log.totalBytes - from });
    this.#stopWaiting = afterPatience(timeoutMs, () => this.end());
  }

  /** The owner has been given everything up to `seq`. */
  hasRead(seq: number): void {
    if (seq >= this.#lastMissedSeq) this.end();
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopWaiting();
    this.#unkeep();
    this.#release();
  }
}
