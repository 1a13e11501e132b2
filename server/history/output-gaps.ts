// Gaps in the output of a segment: a line ends where output is missing, so that text on both sides is never read as one line.

/** Piece of output, with the bytes of all output before it. */
interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Collects the places in a text before which output is missing. */
export class OutputGaps {
  readonly places: number[] = [];
  #length = 0;
  #offset: number | null = null;

  /** Adds a piece that begins at `start`; returns the place after it. */
  add({ offset, bytes }: Piece, start = this.#length): number {
    // Output between two pieces that are apart in the text was not read, so a gap there is unknown.
    if (this.#offset !== null && start === this.#length && offset !== this.#offset) this.places.push(start);
    this.#length = start + bytes.length;
    this.#offset = offset + bytes.length;
    return this.#length;
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the gaps within lines of a range; `raw` is its text. Those after a line feed need no other end of a line. */
export const cutsIn = (gaps: readonly number[], { start, end }: Range, raw: string): readonly number[] =>
  gaps.filter((at) => at > start && at < end && raw[at - start - 1] !== '\n');

/** Returns the text of a range that begins at `start`, with an additional line feed at each cut. */
export function textWithCuts(raw: string, start: number, cuts: readonly number[]): string {
  if (cuts.length === 0) return raw;
  const ends = [...cuts.map((at) => at - start), raw.length];
  return ends.map((end, index) => raw.slice(ends[index - 1] ?? 0, end)).join('\n');
}
