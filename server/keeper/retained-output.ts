// The retained output of a log, in segments.
import type { OutputEvent } from './log-event.ts';
import { OutputSegment } from './output-segment.ts';

export class RetainedOutput {
  /** Slots before `#head` are empty. */
  #segments: (OutputSegment | undefined)[] = [];
  #head = 0;

  add(event: OutputEvent): void {
    if (!this.#segments.at(-1)?.add(event)) this.#segments.push(new OutputSegment(event));
  }

  /** Returns the segment that contains output event `seq`; undefined when `seq` is not retained or not output. */
  segmentOf(seq: number): OutputSegment | undefined {
    let last = this.#segments.length - 1;
    // Readers are mostly at the end of the log.
    if ((this.#segments[last]?.firstSeq ?? 0) > seq)
      for (let first = this.#head; first < last;) {
        const middle = Math.ceil((first + last) / 2);
        if ((this.#segments[middle]?.firstSeq ?? 0) <= seq) first = middle;
        else last = middle - 1;
      }
    const segment = this.#segments[last];
    return segment && segment.firstSeq <= seq && seq < segment.nextSeq ? segment : undefined;
  }

  /**
   * Returns the last `bytes` of the events from `firstSeq` on and of the `pending` output; all of it when there is
   * less.
   */
  tail(bytes: number, firstSeq: number, pending: Buffer | undefined): Buffer {
    const pieces: Buffer[] = pending ? [pending] : [];
    let length = pending?.length ?? 0;
    for (let at = this.#segments.length - 1; at >= this.#head && length < bytes; at -= 1) {
      const segment = this.#segments[at];
      const piece = segment?.from(Math.max(segment.firstSeq, firstSeq));
      if (!piece) continue;
      pieces.unshift(piece);
      length += piece.length;
    }
    return Buffer.concat(pieces, length).subarray(Math.max(0, length - bytes));
  }

  /** Drops the oldest segment if all of its events are before `firstSeq`. */
  dropBefore(firstSeq: number): void {
    if ((this.#segments[this.#head]?.nextSeq ?? Number.POSITIVE_INFINITY) > firstSeq) return;
    this.#segments[this.#head] = undefined;
    this.#head += 1;
  }

  /** Releases spare memory of the newest segment; called when the log has ended. */
  trim(): void {
    this.#segments.at(-1)?.trim();
  }

  /** Removes empty slots if there are many: they cost little, but their number must stay bounded. */
  compactIfSparse(): void {
    if (this.#head > 64 && this.#head > this.#segments.length / 2) this.compact();
  }

  compact(): void {
    this.#segments = this.#segments.slice(this.#head);
    this.#head = 0;
  }
}
