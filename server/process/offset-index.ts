// Where the events that a log has trimmed ended, in bytes: so that what a late reader missed is counted exactly.

/** Of the trimmed events, this many are remembered (8 bytes each); a flood is 2 GiB by then. */
const OFFSETS_KEPT = 65_536;

export class OffsetIndex {
  /** The end of event `#firstSeq`, of the next one, … */
  #ends: number[] = [];
  #firstSeq = 1;

  /** The end of the next event, the first being seq 1. */
  push(end: number): void {
    this.#ends.push(end);
    if (this.#ends.length <= OFFSETS_KEPT) return;
    this.#ends = this.#ends.slice(OFFSETS_KEPT / 2);
    this.#firstSeq += OFFSETS_KEPT / 2;
  }

  /** The end of event `seq`; of one that is forgotten, the end of the oldest that is not. */
  offsetAfter(seq: number): number {
    if (seq < 1) return 0;
    return this.#ends[Math.max(seq - this.#firstSeq, 0)] ?? 0;
  }
}
