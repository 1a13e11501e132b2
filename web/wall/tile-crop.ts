// How much of a picture a tile shows: all of it, unless its letters would be too small to read; then its last lines.
import type { Tile } from '../../server/protocol/looks.ts';

/** Of the letters of the page's font: width and line height by its size. */
const CELL = { width: 0.6, height: 1.25 };
/** Smaller letters are grey dust. */
const SMALLEST_PX = 8;

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
  { rows, cols, lines }: Pick<Tile, 'rows' | 'cols' | 'lines'>,
  { width, height }: { readonly width: number; readonly height: number },
): Crop {
  const cell = { width: width / cols, height: height / rows };
  const fitting = Math.min(cell.width / CELL.width, cell.height / CELL.height);
  const size = Math.max(SMALLEST_PX, fitting);
  const rowHeight = fitting < SMALLEST_PX ? size * CELL.height : Math.min(cell.height, size * CELL.height);
  const shown = Math.max(1, Math.min(rows, Math.floor(height / rowHeight)));
  // Where something was printed last: a screen that begins with blank lines, or ends with them, is not shown by those.
  const used = lines.findLastIndex((line) => line.some(({ text }) => text.trim() !== '')) + 1;
  return {
    firstRow: Math.max(0, used - shown),
    rows: shown,
    size,
    rowHeight,
    cellWidth: size * CELL.width,
  };
}
