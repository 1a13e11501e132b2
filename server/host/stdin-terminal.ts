// What is on its way into a terminal. Streams cannot do this: libuv spins on a terminal's end that is full.
import { writeSync } from 'node:fs';
import type { WriteOutcome } from './child.ts';

interface Waiting {
  bytes: Uint8Array;
  readonly settle: (outcome: WriteOutcome) => void;
}

/** Nothing tells when a full terminal has room again: it is asked after so long, twice as long each time … */
const FIRST_RETRY_MS = 1;
/** … up to this; a program that never reads costs some thirty calls a second. */
const LAST_RETRY_MS = 32;

export class StdinTerminal {
  readonly #fd: number;
  readonly #waiting: Waiting[] = [];
  #retry: NodeJS.Timeout | null = null;
  #retryMs = FIRST_RETRY_MS;
  #open = true;

  /** The descriptor does not block, and stays its owner's to close. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  write(bytes: Uint8Array): WriteOutcome | Promise<WriteOutcome> {
    if (!this.#open) return 'closed';
    if (this.#waiting.length > 0) return this.#queue(bytes);
    const written = this.#tryWrite(bytes);
    if (written === null) {
      this.close();
      return 'closed';
    }
    if (written === bytes.length) return 'accepted';
    const taken = this.#queue(bytes.subarray(written));
    this.#flushLater();
    return taken;
  }

  /** To be called before the descriptor is closed. */
  close(): void {
    this.#open = false;
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    for (const { settle } of this.#waiting.splice(0)) settle('closed');
  }

  #queue(bytes: Uint8Array): Promise<WriteOutcome> {
    return new Promise((settle) => this.#waiting.push({ bytes, settle }));
  }

  #flush(): void {
    this.#retry = null;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const written = this.#tryWrite(first.bytes);
      if (written === null) return this.close();
      if (written > 0) this.#retryMs = FIRST_RETRY_MS;
      if (written < first.bytes.length) {
        first.bytes = first.bytes.subarray(written);
        return this.#flushLater();
      }
      this.#waiting.shift();
      first.settle('accepted');
    }
  }

  #flushLater(): void {
    this.#retry = setTimeout(() => this.#flush(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  /** How many bytes the kernel took, or null when nobody can read them any more. */
  #tryWrite(bytes: Uint8Array): number | null {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
    }
  }
}
