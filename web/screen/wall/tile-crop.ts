// Part of a picture that a tile shows: all its text, or only the last lines if the letters would be too small to
// read.
import type { Tile } from '../../../protocol/looks.ts';

/** Cell width and line height of the monospaced font, relative to the font size. */
const CELL = { width: 0.6, height: 1.25 };
/** Minimum and maximum font size: smaller letters are unreadable, and larger ones show nothing more. */
const LETTER_PX = { least: 10, most: 12 };

interface Crop {
  readonly firstRow: number;
  readonly rows: number;
  /** Font size in pixels. */
  readonly size: number;
  readonly rowHeight: number;
  readonly cellWidth: number;
}

/** Returns the part to show. It may be wider than the tile, which then cuts off long lines on the right. */
export function cropOf(
  { cols, lines }: Pick<Tile, 'cols' | 'lines'>,
  { width, height }: { readonly width: number; readonly height: number },
): Crop {
  const isWritten = (line: (typeof lines)[number]): boolean => line.some(({ text }) => text.trim() !== '');
  // Blank lines at the start and end of a screen are omitted.
  const begin = Math.max(0, lines.findIndex(isWritten));
  const end = lines.findLastIndex(isWritten) + 1;
  const written = Math.max(1, end - begin);
  const fitting = Math.min(width / cols / CELL.width, height / written / CELL.height);
  const size = Math.min(LETTER_PX.most, Math.max(LETTER_PX.least, fitting));
  const rowHeight = size * CELL.height;
  const rows = Math.max(1, Math.min(written, Math.floor(height / rowHeight)));
  return { firstRow: Math.max(0, end - rows), rows, size, rowHeight, cellWidth: size * CELL.width };
}
