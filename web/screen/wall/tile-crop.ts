// How much of a picture a tile shows: all that is written, unless its letters would be too small to read; then its last lines.
import type { Tile } from '../../../protocol/looks.ts';

/** Of the letters of the page's font: width and line height by its size. */
const CELL = { width: 0.6, height: 1.25 };
/** Smaller letters are grey dust, and larger ones show no more. */
const LETTER_PX = { least: 10, most: 12 };

interface Crop {
  readonly firstRow: number;
  readonly rows: number;
  /** Of the font. */
  readonly size: number;
  readonly rowHeight: number;
  readonly cellWidth: number;
}

/** Lines begin at the left; what is cut off of them is their end. */
export function cropOf(
  { cols, lines }: Pick<Tile, 'cols' | 'lines'>,
  { width, height }: { readonly width: number; readonly height: number },
): Crop {
  const isWritten = (line: (typeof lines)[number]): boolean => line.some(({ text }) => text.trim() !== '');
  // A screen that begins with blank lines, or ends with them, is not shown by those.
  const begin = Math.max(0, lines.findIndex(isWritten));
  const end = lines.findLastIndex(isWritten) + 1;
  const written = Math.max(1, end - begin);
  const fitting = Math.min(width / cols / CELL.width, height / written / CELL.height);
  const size = Math.min(LETTER_PX.most, Math.max(LETTER_PX.least, fitting));
  const rowHeight = size * CELL.height;
  // What was printed last stays.
  const rows = Math.max(1, Math.min(written, Math.floor(height / rowHeight)));
  return { firstRow: Math.max(0, end - rows), rows, size, rowHeight, cellWidth: size * CELL.width };
}
