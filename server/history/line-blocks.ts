// Splits a segment's text into blocks: each has the lines that begin in one stretch of `BLOCK_BYTES`.

/** Length of a stretch, in bytes. */
export const BLOCK_BYTES = 256 * 1024;

export interface LineBlock {
  readonly start: number;
  /** Offset of the end of the last line, after its line feed. */
  readonly end: number;
}

/**
 * Returns the blocks of a text in order, up to `end`, which is the end of a line. `isBegun`: true when the first line
 * begins in the previous segment, and is skipped, since it belongs to a block of that segment.
 */
export function lineBlocks(text: string | Buffer, isBegun: boolean, end = text.length): readonly LineBlock[] {
  const blocks: LineBlock[] = [];
  let start = isBegun ? lineFrom(text, 1) : 0;
  for (let next = BLOCK_BYTES; start < end; next += BLOCK_BYTES) {
    const until = Math.max(start, Math.min(end, lineFrom(text, next)));
    blocks.push({ start, end: until });
    start = until;
  }
  return blocks;
}

/** Returns the start of the first line that begins at or after an offset. */
function lineFrom(text: string | Buffer, at: number): number {
  const newline = text.indexOf('\n', at - 1);
  return newline < 0 ? text.length : newline + 1;
}
