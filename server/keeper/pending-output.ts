// Collects output without a seq: adjacent reads of one stream, copied into one buffer.
import type { Stream } from '../../protocol/process.ts';

/** Size from which a growing chunk gets a full-size buffer, since it probably belongs to a flood. */
const FLOOD_BYTES = 2048;

/** Maximum size of a sealed chunk's buffer, relative to the chunk. */
const MOST_SPARE = 4 / 3;

export class PendingOutput {
  readonly stream: Stream;
  /** Time (ms since the epoch) when the first byte was read. */
  readonly atMs: number;
  readonly #chunkBytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /** `chunkBytes` is the maximum size. */
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

  /** Output so far, valid until the next `append`. */
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

  /** Returns the whole output; `append` must not be called afterwards. */
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
