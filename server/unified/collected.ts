// Output of one process that no answer has given yet: its beginning and its end, with the middle dropped when it is too long.

/** Most bytes that are kept: half of them from the beginning, half from the end. */
const MOST_BYTES = 1024 * 1024;
const HALF = MOST_BYTES / 2;
/** Pieces of the end that are joined when there are so many. */
const MOST_PIECES = 1024;

export interface Drained {
  /** The kept bytes, with a line in the place of the others. */
  readonly bytes: Buffer;
  /** Bytes of all output since the last drain, kept or not. */
  readonly total: number;
  readonly omitted: number;
}

export class Collected {
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  /** Bytes of all output since the last drain, kept or not. */
  get bytes(): number {
    return this.#total;
  }

  add(bytes: Buffer): void {
    this.#total += bytes.length;
    const first = bytes.subarray(0, HALF - this.#headBytes);
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    const rest = bytes.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    if (this.#tail.length > MOST_PIECES) this.#tail = [Buffer.concat(this.#tail)];
    this.#dropFromTail();
  }

  /** Counts bytes that are lost without having been here. */
  missed(bytes: number): void {
    this.#total += bytes;
  }

  /** The newest bytes, at most so many. */
  end(most: number): Buffer {
    const pieces = this.#tail.length > 0 ? this.#tail : this.#head;
    return Buffer.concat(pieces).subarray(-most);
  }

  /** Takes everything out; with `isCut` an unfinished character at the end stays for the next time. */
  drain(isCut: boolean): Drained {
    const omitted = this.#total - this.#headBytes - this.#tailBytes;
    const gap = omitted > 0 ? [Buffer.from(`\n... ${omitted} bytes omitted ...\n`)] : [];
    const bytes = Buffer.concat([...this.#head, ...gap, ...this.#tail]);
    const total = this.#total;
    const left = isCut ? unfinishedBytes(bytes) : 0;
    const rest = Buffer.from(bytes.subarray(bytes.length - left));
    this.#head = [];
    this.#tail = [];
    this.#headBytes = this.#tailBytes = this.#total = 0;
    if (left > 0) this.add(rest);
    return { bytes: bytes.subarray(0, bytes.length - left), total: total - left, omitted };
  }

  #dropFromTail(): void {
    let excess = this.#tailBytes - HALF;
    while (excess > 0) {
      const [oldest] = this.#tail;
      if (!oldest) return;
      if (oldest.length > excess) this.#tail[0] = oldest.subarray(excess);
      else this.#tail.shift();
      const dropped = Math.min(excess, oldest.length);
      this.#tailBytes -= dropped;
      excess -= dropped;
    }
  }
}

/** Bytes at the end that begin a character of UTF-8 and do not end it; 0 to 3. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}
