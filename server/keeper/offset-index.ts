// Where the events that a log has trimmed ended, in bytes: so that what a late reader missed is counted exactly.

/** Of the trimmed events, at least so many are remembered; a flood is 2 GiB by then. */
const OFFSETS_KEPT = 65_536;
/** So many are packed together, when they are full: as numbers they cost 8 bytes each, as lengths 2. */
const BLOCK_EVENTS = 1024;

interface Block {
  /** Where its first event began. */
  readonly offset: number;
  /** Of each of its events, in bytes. */
  readonly lengths: Uint16Array | Uint32Array;
}

export class OffsetIndex {
  /** The full ones, from the one on that begins with event `#firstSeq`. */
  #blocks: Block[] = [];
  #firstSeq = 1;
  /** Of the events since. */
  #lengths: number[] = [];
  #end = 0;
  #offset = 0;

  /** The end of the next event, the first being seq 1. */
  push(end: number): void {
    this.#lengths.push(end - this.#end);
    this.#end = end;
    if (this.#lengths.length === BLOCK_EVENTS) this.#pack();
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
