// Reads a terminal's flood in another thread while this one emits the previous bytes. The kernel returns only
// 4 KiB per read, and a turn of the event loop for each costs several times as much as the read.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeStream, openStream, readStream, type CStream } from './libc.ts';

/** Maximum size of one batch: some milliseconds of a flood, so that its reader seldom waits for this thread. */
const AHEAD_BYTES = 512 * 1024;

/**
 * Bytes of a batch that are emitted in one turn of the event loop, which determines the delay of an echo.
 * Half as much does not shorten the delay, but costs about 8 % more CPU in a flood; more gains nothing.
 */
const TURN_BYTES = 64 * 1024;

/** Minimum size of a batch after which more output has probably arrived once the batch is emitted. */
const MUCH_BYTES = 4096;

/** Maximum number of readers at once: the thread pool has four threads, which also read and write files. */
const MOST_READERS = 2;

const NOTHING = Buffer.alloc(0);

/** Unused buffers: each reader needs one, and a second one while the first is emitted. */
const buffers: Buffer[] = [];
/** Number of active readers of all terminals, from their start until they rest. */
let readers = 0;
/** True from the refusal of a reader because of the limit until an active reader rests. */
let isWanted = false;

export interface AheadEvents {
  /** Returns false to stop the reader; called when more output is likely to follow. */
  readonly goesOn: () => boolean;
  /** `bytes`: never empty, and only valid during the call. */
  readonly onBytes: (bytes: Buffer) => void;
  /**
   * Called when reading has stopped: there was no more output, `goesOn` returned false, or it is another
   * reader's turn. Not called once the reader is closed.
   */
  readonly onRest: () => void;
}

export class ReadAhead {
  readonly #fd: number;
  readonly #events: AheadEvents;
  #stream: CStream | null = null;
  /** Bytes read and queued for their turn. */
  #ready: Buffer = NOTHING;
  #isClosed = false;

  /** `fd` must not block, and must have no other active reader while this one reads. */
  constructor(fd: number, events: AheadEvents) {
    this.#fd = fd;
    this.#events = events;
  }

  get isReading(): boolean {
    return this.#stream !== null;
  }

  /**
   * Starts reading, which continues until `onRest`. Returns false when this reader is closed, too many others are
   * active, or no descriptor is free.
   */
  start(): boolean {
    if (readers === MOST_READERS) isWanted = true;
    if (readers === MOST_READERS || this.#isClosed) return false;
    // The stream has a separate descriptor, so that a read in progress never continues on a reused number.
    this.#stream = openStream(this.#fd);
    if (!this.#stream) return false;
    readers += 1;
    void this.#readOn(this.#stream);
    return true;
  }

  /** Emits the queued bytes at once. */
  catchUp(): void {
    this.#emit(this.#ready.length);
  }

  /** Stops emitting events; call it before the descriptor is closed. */
  close(): void {
    this.#isClosed = true;
  }

  get #goesOn(): boolean {
    return !this.#isClosed && !isWanted && this.#events.goesOn();
  }

  async #readOn(stream: CStream): Promise<void> {
    for (let reading: Promise<Buffer> | null = readInto(stream); reading;) {
      const bytes: Buffer = await reading;
      // More output probably follows a full batch, so the next read starts before this batch is emitted.
      reading = bytes.length === AHEAD_BYTES && this.#goesOn ? readInto(stream) : null;
      this.#ready = bytes;
      this.#emit(TURN_BYTES);
      while (this.#ready.length > 0) {
        await nextTurn();
        this.#emit(TURN_BYTES);
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

  /** Emits at most `length` of the queued bytes; drops them all once the reader is closed. */
  #emit(length: number): void {
    const bytes = this.#ready.subarray(0, length);
    this.#ready = this.#isClosed ? NOTHING : this.#ready.subarray(length);
    if (bytes.length > 0 && !this.#isClosed) this.#events.onBytes(bytes);
  }
}

/** Resolves with the bytes read, at the beginning of one of the buffers. */
function readInto(stream: CStream): Promise<Buffer> {
  const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(AHEAD_BYTES);
  return new Promise((resolve) => {
    readStream(stream, buffer, (length) => resolve(buffer.subarray(0, length)));
  });
}
