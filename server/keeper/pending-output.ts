// Output that has no seq yet: neighbouring reads, copied once, side by side.
import type { Stream } from '../../protocol/process.ts';

/** Size from which a chunk is part of a flood, and likely to become a whole one. */
const FLOOD_BYTES = 2048;

/** A sealed chunk may lie in a buffer that is larger than it by this factor, and no more. */
const MOST_SPARE = 4 / 3;

export class PendingOutput {
  readonly stream: Stream;
  /** Time when its first byte was read. */
  readonly atMs: number;
  readonly #chunkBytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /** Holds at most `chunkBytes` of one stream. */
  constructor(stream: Stream, chunkBytes: number, atMs = Date.now()) {
    this.stream = stream;
    this.atMs = atMs;
    this.#chunkBytes = chunkBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#chunkBytes;
  }

  /** All of it so far; changes with the next `append`. */
  get output(): Buffer {
    return this.#buffer.subarray(0, this.#bytes);
  }

  /** Copies `source` from `at` on, as far as there is room; returns the number of bytes copied. */
  append(source: Buffer, at: number): number {
    const end = Math.min(source.length, at + this.#chunkBytes - this.#bytes);
    const needed = this.#bytes + end - at;
    if (needed > this.#buffer.length) this.#grow(needed);
    source.copy(this.#buffer, this.#bytes, at, end);
    this.#bytes = needed;
    return end - at;
  }

  /** The whole of it; nothing may be appended any more. */
  sealed(): Buffer {
    const { output } = this;
    return this.#buffer.length > this.#bytes * MOST_SPARE ? Buffer.from(output) : output;
  }

  #grow(needed: number): void {
    const isFirst = this.#bytes === 0;
    const room = isFirst ? needed : needed < FLOOD_BYTES ? needed * 2 : this.#chunkBytes;
    const grown = Buffer.allocUnsafe(Math.min(room, this.#chunkBytes));
    this.output.copy(grown);
    this.#buffer = grown;
  }
}
