// Output of the log: no work waits for its reader, and lines that are not read are counted instead of kept.
import { constants, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Most bytes of lines that wait for their reader. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Time until a slow reader is tried again. */
const RETRY_MS = 100;
const STDERR = 2;

interface Waiting {
  readonly bytes: Buffer;
  /** Number of lines that are lost when these bytes are. */
  readonly lines: number;
}

export class LogOutput {
  readonly #fd: number;
  /** The line with the number of missing lines. */
  readonly #sayDropped: (count: number) => string;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  /** True when the last write ended within a line. */
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

  /** Writes as much as the reader takes at once. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    // Lines dropped while others waited are reported after those.
    while (this.#writeWaiting() && this.#dropped > 0) this.#tellDropped();
  }

  /** Returns true when everything was written. */
  #writeWaiting(): boolean {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      let written = 0;
      try {
        written = writeSync(this.#fd, next.bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          // Full or closed: this may have changed by the next line.
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
    // A terminal may have been stopped, so writes must not block; opened anew, the flag affects no other program.
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return STDERR;
  }
}
