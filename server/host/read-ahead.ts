// A terminal's flood, read in another thread while this one hands on what came before. The kernel gives 4 KiB at a time,
// and to go around the event loop for each of them costs several times as much as they do.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeStream, openStream, readStream, type CStream } from './libc.ts';

/** What one reading brings at the most: some milliseconds of a flood, so that it seldom waits for this thread. */
const AHEAD_BYTES = 512 * 1024;

/**
 * Of it, in one turn of the event loop: an echo waits for no more, but where somebody has done something. With half as much
 * it waits as long, and the flood takes some 8 % more CPU; more gains nothing.
 */
const TURN_BYTES = 64 * 1024;

/** After so much, though there is no more for now, there is by the time that it is handed on. */
const MUCH_BYTES = 4096;

/** At a time: the pool has four threads, and files are read and written in them as well. */
const MOST_READERS = 2;

const NOTHING = Buffer.alloc(0);

/** Those that nobody has: each reader needs one, and another while what is in the first is handed on. */
const buffers: Buffer[] = [];
/** Of all terminals, from their start until they rest. */
let readers = 0;
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
  /** Read, and waiting for its turn. */
  #ready: Buffer = NOTHING;
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
    if (readers === MOST_READERS) isWanted = true;
    if (readers === MOST_READERS || this.#isClosed) return false;
    // Of its own: what is under way when the terminal is closed ends well, and not with another's descriptor.
    this.#stream = openStream(this.#fd);
    if (!this.#stream) return false;
    readers += 1;
    void this.#readOn(this.#stream);
    return true;
  }

  /** Hands on at once what waits for its turn. */
  catchUp(): void {
    this.#handOn(this.#ready.length);
  }

  /** To be called before the descriptor is closed: nothing is told any more. */
  close(): void {
    this.#isClosed = true;
  }

  get #goesOn(): boolean {
    return !this.#isClosed && !isWanted && this.#events.goesOn();
  }

  async #readOn(stream: CStream): Promise<void> {
    for (let reading: Promise<Buffer> | null = readInto(stream); reading;) {
      const bytes: Buffer = await reading;
      // At once when there is likely to be more, so that it is under way meanwhile.
      reading = bytes.length === AHEAD_BYTES && this.#goesOn ? readInto(stream) : null;
      this.#ready = bytes;
      this.#handOn(TURN_BYTES);
      while (this.#ready.length > 0) {
        await nextTurn();
        this.#handOn(TURN_BYTES);
      }
      buffers.push(Buffer.from(bytes.buffer));
      if (!reading && bytes.length >= MUCH_BYTES && this.#goesOn) reading = readInto(stream);
    }
    readers -= 1;
    isWanted = false;
    closeStream(stream);
    this.#stream = null;
    if (!this.#isClosed) this.#events.onRest();
  }

  /** At the most so much; nobody is told once it is closed. */
  #handOn(length: number): void {
    const bytes = this.#ready.subarray(0, length);
    this.#ready = this.#isClosed ? NOTHING : this.#ready.subarray(length);
    if (bytes.length > 0 && !this.#isClosed) this.#events.onBytes(bytes);
  }
}

/** Resolves with the beginning of a buffer of ours: what there was. */
function readInto(stream: CStream): Promise<Buffer> {
  const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(AHEAD_BYTES);
  return new Promise((resolve) => {
    readStream(stream, buffer, (length) => resolve(buffer.subarray(0, length)));
  });
}
