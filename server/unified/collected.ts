// Output of one process that no answer has returned yet; if it is too long, only its beginning and its end
// are retained.

/** Maximum retained bytes: half from the beginning, half from the end. */
const MOST_BYTES = 1024 * 1024;
const HALF = MOST_BYTES / 2;
/** Maximum number of pieces at the end; more are joined into one. */
const MOST_PIECES = 1024;

export interface Drained {
  /** Retained bytes, with a line in place of the dropped bytes. */
  readonly bytes: Buffer;
  /** Bytes of all output since the last drain, retained or not. */
  readonly total: number;
  readonly omitted: number;
}

export class Collected {
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  /** Bytes of all output since the last drain, retained or not. */
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

  /** Counts bytes that were lost before they arrived. */
  missed(bytes: number): void {
    this.#total += bytes;
  }

  /** Drops all retained bytes, which then count as omitted. */
  drop(): void {
    this.#head = [];
    this.#tail = [];
    this.#headBytes = this.#tailBytes = 0;
  }

  /** Returns the newest bytes, at most `most`. */
  end(most: number): Buffer {
    // A full tail may not continue the head, and is longer than the ends that are shown.
    const isEnough = this.#tailBytes >= Math.min(most, HALF);
    return Buffer.concat(isEnough ? this.#tail : [...this.#head, ...this.#tail]).subarray(-most);
  }

  /** Removes and returns all output; if `isCut`, an unfinished character at the end is left for the next call. */
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

/** Returns the number of bytes of an unfinished UTF-8 character at the end, 0 to 3. */
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
