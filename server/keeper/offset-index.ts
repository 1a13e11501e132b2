// Stores where a log's evicted events ended, to count exactly the output that is skipped for a late reader.

/** Minimum number of evicted events whose ends are stored: 2 GiB of a flood. */
const LEAST_OFFSETS = 65_536;
/** Number of events per block. A length costs 8 bytes as a number, and 2 in a full block. */
const BLOCK_EVENTS = 1024;

interface Block {
  /** Offset at which the block's first event began. */
  readonly offset: number;
  /** Lengths of the block's events, in bytes. */
  readonly lengths: Uint16Array | Uint32Array;
}

export class OffsetIndex {
  /** Full blocks, in order; the first one begins with event `#firstSeq`. */
  #blocks: Block[] = [];
  #firstSeq = 1;
  /** Lengths of the events after the last full block. */
  #lengths: number[] = [];
  #end = 0;
  #offset = 0;

  /** Starts the index at the event before `seq`, which ended at `offset`, instead of at seq 1. */
  beginAt(seq: number, offset: number): void {
    this.#firstSeq = seq - 1;
    this.#blocks = [];
    this.#lengths = [0];
    this.#offset = offset;
    this.#end = offset;
  }

  /** Appends the end offset of the next event, which is seq 1 in a new index. */
  push(end: number): void {
    this.#lengths.push(end - this.#end);
    this.#end = end;
    if (this.#lengths.length === BLOCK_EVENTS) this.#pack();
  }

  /** Returns the end offset of event `seq`; if it is no longer stored, that of the oldest stored event. */
  offsetAfter(seq: number): number {
    if (seq < 1) return 0;
    const index = Math.max(seq - this.#firstSeq, 0);
    const block = this.#blocks[Math.floor(index / BLOCK_EVENTS)];
    const lengths = block?.lengths ?? this.#lengths;
    let end = block?.offset ?? this.#offset;
    for (let at = 0; at <= index % BLOCK_EVENTS; at += 1) end += lengths[at] ?? 0;
    return end;
  }

  #pack(): void {
    // An event exceeds 64 KiB only with a chunk limit above the default, or when its output is missing.
    const Lengths = this.#lengths.some((length) => length > 0xffff) ? Uint32Array : Uint16Array;
    this.#blocks.push({ offset: this.#offset, lengths: Lengths.from(this.#lengths) });
    this.#lengths = [];
    this.#offset = this.#end;
    if (this.#blocks.length <= LEAST_OFFSETS / BLOCK_EVENTS) return;
    this.#blocks.shift();
    this.#firstSeq += BLOCK_EVENTS;
  }
}
