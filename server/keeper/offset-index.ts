// Byte offsets at which a log's evicted events ended, so that the output missed by a late reader is counted exactly.

/** Least number of evicted events that are remembered; a flood is 2 GiB by then. */
const OFFSETS_KEPT = 65_536;
/** Number of lengths packed together once a block is full: as numbers they cost 8 bytes each, packed 2. */
const BLOCK_EVENTS = 1024;

interface Block {
  /** Offset at which its first event began. */
  readonly offset: number;
  /** Lengths of its events, in bytes. */
  readonly lengths: Uint16Array | Uint32Array;
}

export class OffsetIndex {
  /** The full ones, from the one on that begins with event `#firstSeq`. */
  #blocks: Block[] = [];
  #firstSeq = 1;
  /** Lengths of the events since the last block. */
  #lengths: number[] = [];
  #end = 0;
  #offset = 0;

  /** Begins with the event before `seq`, which ended at `offset`, in place of seq 1. */
  beginAt(seq: number, offset: number): void {
    this.#firstSeq = seq - 1;
    this.#blocks = [];
    this.#lengths = [0];
    this.#offset = offset;
    this.#end = offset;
  }

  /** The end of the next event, the first being seq 1. */
  push(end: number): void {
    this.#lengths.push(end - this.#end);
    this.#end = end;
    if (this.#lengths.length === BLOCK_EVENTS) this.#pack();
  }

  /** Begins behind event `seq`, which ended at `offset`; earlier events are unknown. */
  skip(seq: number, offset: number): void {
    this.#firstSeq = seq + 1;
    this.#end = offset;
    this.#offset = offset;
  }

  /** The end of event `seq`; of one that is forgotten, the end of the oldest that is not. */
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
    // A chunk may be longer than 64 KiB by its limit; none is by default.
    const Lengths = this.#lengths.some((length) => length > 0xffff) ? Uint32Array : Uint16Array;
    this.#blocks.push({ offset: this.#offset, lengths: Lengths.from(this.#lengths) });
    this.#lengths = [];
    this.#offset = this.#end;
    if (this.#blocks.length <= OFFSETS_KEPT / BLOCK_EVENTS) return;
    this.#blocks.shift();
    this.#firstSeq += BLOCK_EVENTS;
  }
}
