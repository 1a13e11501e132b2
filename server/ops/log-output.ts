// Output of the log: writes never wait for the reader, and lines beyond the limit are dropped and counted.
import { constants, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Size of the waiting lines beyond which further lines are dropped. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Delay before the next write to a slow reader. */
const RETRY_MS = 100;
const STDERR = 2;

interface Waiting {
  readonly bytes: Buffer;
  /** Number of lines lost if these bytes are dropped: 1, or for a report of dropped lines, their number. */
  readonly lines: number;
}

export class LogOutput {
  readonly #fd: number;
  readonly #droppedLine: (count: number) => string;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  /** True when the last write ended in the middle of a line. */
  #isMidLine = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(fd: number, droppedLine: (count: number) => string) {
    this.#fd = fd;
    this.#droppedLine = droppedLine;
  }

  write(line: string): void {
    if (this.#waitingBytes > MOST_WAITING_BYTES) {
      this.#dropped += 1;
      return;
    }
    this.#reportDropped();
    this.#add(line, 1);
    this.flush();
  }

  /** Writes as much as the reader accepts immediately. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    // Dropped lines are reported after those that waited before them.
    while (this.#writeWaiting() && this.#dropped > 0) this.#reportDropped();
  }

  /** Returns true when no lines are waiting any more; false when a write failed or must be retried. */
  #writeWaiting(): boolean {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      let written = 0;
      try {
        written = writeSync(this.#fd, next.bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
          // The device is full, or the reader has closed its end: waiting lines are dropped, but later lines
          // are still attempted.
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

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    this.#add(this.#droppedLine(this.#dropped), this.#dropped);
    this.#dropped = 0;
  }

  #add(line: string, lines: number): void {
    const bytes = Buffer.from(this.#isMidLine && this.#waiting.length === 0 ? `\n${line}` : line);
    this.#waiting.push({ bytes, lines });
    this.#waitingBytes += bytes.length;
  }
}

/** Returns a descriptor of stderr whose writes do not block, except on a terminal that cannot be reopened. */
export function openStderr(): number {
  // Node has already set O_NONBLOCK on a pipe or socket, and writes to a file do not block.
  if (!isatty(process.stderr.fd)) return STDERR;
  try {
    // Writes to a stopped terminal must not block. Reopening the terminal sets O_NONBLOCK for this program only.
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return STDERR;
  }
}
