// Blocks of a segment's text: the lines that begin in so many bytes of it.

/** Bytes of a block. */
export const BLOCK_BYTES = 256 * 1024;

export interface LineBlock {
  /** The beginning of its first line. */
  readonly start: number;
  /** The end of its last line, behind the line feed. */
  readonly end: number;
}

/**
 * The blocks of a text in their order, up to `end`, where a line ends. `isBegun`: the first line began in the segment
 * before, and belongs to that one.
 */
export function lineBlocks(text: string, isBegun: boolean, end = text.length): readonly LineBlock[] {
  const blocks: LineBlock[] = [];
  let start = isBegun ? lineFrom(text, 1) : 0;
  for (let next = BLOCK_BYTES; start < end; next += BLOCK_BYTES) {
    const until = Math.max(start, Math.min(end, lineFrom(text, next)));
    blocks.push({ start, end: until });
    start = until;
  }
  return blocks;
}

/** The beginning of the first line that begins at a place or behind it. */
function lineFrom(text: string, at: number): number {
  const newline = text.indexOf('\n', at - 1);
  return newline < 0 ? text.length : newline + 1;
}
