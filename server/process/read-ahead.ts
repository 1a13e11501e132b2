// A terminal's flood, read in another thread while this one hands on what came before. The kernel gives 4 KiB at a time,
// and to go around the event loop for each of them costs several times as much as they do.
import { closeStream, openStream, readStream, type CStream } from './libc.ts';

/** What one reading brings at the most. */
const AHEAD_BYTES = 128 * 1024;

/** After so much, though there is no more for now, there is by the time that it is handed on. */
const MUCH_BYTES = AHEAD_BYTES / 4;

/** Of all terminals together: the pool has four threads, and files are read and written in them as well. */
const MOST_READINGS = 2;

/** They are lent to one reading after another, and one more while its bytes are handed on. */
const buffers: Buffer[] = [];
let readings = 0;
/** Whether somebody was refused for their number. */
let isWanted = false;

export interface AheadEvents {
  /** Asked when there is likely to be more. */
  readonly goesOn: () => boolean;
  /** `bytes` is only lent. Never empty. */
  readonly onBytes: (bytes: Buffer) => void;
  /** Nothing is read any more: there was no more for now, it does not go on, or it is another's turn. */
  readonly onRest: () => void;
}

export class ReadAhead {
  readonly #fd: number;
  readonly #events: AheadEvents;
  #stream: CStream | null = null;
  #isClosed = false;

  /** Of a descriptor that does not block, which nobody else reads meanwhile. */
  constructor(fd: number, events: AheadEvents) {
    this.#fd = fd;
    this.#events = events;
  }

  get isReading(): boolean {
    return this.#stream !== null;
  }

  /** Until it rests. False when that is not possible now: others do it, or there is no descriptor for it. */
  start(): boolean {
    if (readings === MOST_READINGS) isWanted = true;
    if (readings === MOST_READINGS || this.#isClosed) return false;
    // Of its own: what is under way when the terminal is closed ends well, and not with another's descriptor.
    this.#stream = openStream(this.#fd);
    if (!this.#stream) return false;
    this.#read(this.#stream);
    return true;
  }

  /** To be called before the descriptor is closed: nothing is told any more. */
  close(): void {
    this.#isClosed = true;
  }

  #read(stream: CStream): void {
    const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(AHEAD_BYTES);
    readings += 1;
    readStream(stream, buffer, (length) => {
      readings -= 1;
      this.#took(stream, buffer, length);
      if (buffers.length <= MOST_READINGS) buffers.push(buffer);
    });
  }

  #took(stream: CStream, buffer: Buffer, length: number): void {
    const goesOn = (): boolean => !this.#isClosed && !isWanted && this.#events.goesOn();
    const isFull = length === buffer.length && goesOn();
    // At once, so that it is under way meanwhile.
    if (isFull) this.#read(stream);
    if (length > 0 && !this.#isClosed) this.#events.onBytes(buffer.subarray(0, length));
    if (isFull) return;
    if (length >= MUCH_BYTES && goesOn()) this.#read(stream);
    else this.#rest(stream);
  }

  #rest(stream: CStream): void {
    isWanted = false;
    closeStream(stream);
    this.#stream = null;
    if (!this.#isClosed) this.#events.onRest();
  }
}
