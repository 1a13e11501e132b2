// Where the log goes: nothing waits for whoever reads it, and what nobody takes is counted instead of kept.
import { constants, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Of lines that wait for their reader. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Until a reader that has not read is tried again. */
const RETRY_MS = 100;
const STDERR = 2;

interface Waiting {
  readonly bytes: Buffer;
  /** That are lost with it. */
  readonly lines: number;
}

export class LogOutput {
  readonly #fd: number;
  /** The line that says how many are missing. */
  readonly #sayDropped: (count: number) => string;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  /** What was written last has ended within a line. */
  #isMidLine = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(fd: number, sayDropped: (count: number) => string) {
    this.#fd = fd;
    this.#sayDropped = sayDropped;
  }

  write(line: string): void {
    if (this.#waitingBytes > MOST_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#tellDropped();
    this.#add(line, 1);
    this.flush();
  }

  /** As much as is taken at once. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    // What was dropped while others waited is told after those.
    while (this.#writeWaiting() && this.#dropped > 0) this.#tellDropped();
  }

  /** Whether all was written. */
  #writeWaiting(): boolean {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      let written = 0;
      try {
        written = writeSync(this.#fd, next.bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          // Full or closed: perhaps not any more when there is something to say again.
          this.#dropWaiting();
          return false;
        }
      }
      this.#waitingBytes -= written;
      if (written === next.bytes.length) {
        this.#isMidLine = false;
        this.#waiting.shift();
        continue;
      }
      if (written > 0) {
        this.#isMidLine = true;
        this.#waiting[0] = { ...next, bytes: next.bytes.subarray(written) };
      }
      this.#timer = setTimeout(() => this.flush(), RETRY_MS).unref();
      return false;
    }
    return true;
  }

  #dropWaiting(): void {
    this.#dropped += this.#waiting.reduce((sum, { lines }) => sum + lines, 0);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#add(this.#sayDropped(this.#dropped), this.#dropped);
    this.#dropped = 0;
  }

  #add(line: string, lines: number): void {
    const bytes = Buffer.from(this.#isMidLine && this.#waiting.length === 0 ? `\n${line}` : line);
    this.#waiting.push({ bytes, lines });
    this.#waitingBytes += bytes.length;
  }
}

/** Writing to it does not wait. */
export function openStderr(): number {
  // Node has made it so for a pipe and a socket as soon as it has a stream of it, and a file never waits.
  if (!isatty(process.stderr.fd)) return STDERR;
  try {
    // A terminal may have been stopped; as one that was opened anew it is nobody else's that does not wait.
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return STDERR;
  }
}
