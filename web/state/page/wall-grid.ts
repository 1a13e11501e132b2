// Layout of the wall's tiles: all visible at once, or of a chosen size.

/** Size of the tiles: `auto`, or an index into `STEPS`. */
export type TileSize = 'auto' | number;

interface Box {
  readonly width: number;
  readonly height: number;
}

/** Sizes in CSS px. The minimum has room for a status icon, a name, the CPU usage, and two lines of output. */
export const STEPS: readonly [Box, ...Box[]] = [
  { width: 150, height: 54 },
  { width: 180, height: 84 },
  { width: 230, height: 130 },
  { width: 310, height: 190 },
  { width: 420, height: 270 },
  { width: 600, height: 400 },
];

export const GAP_PX = 8;
/** Maximum width; a wider tile shows nothing more. */
export const WIDEST_PX = 640;
/** Maximum height as a fraction of the width: a taller tile shows less than another column would. */
const HIGHEST = 0.64;
const CAPTION_PX = 26;
/** Ideal screen of a tile; a font size above `letterPx` does not make a layout better. */
const SCREEN = { cols: 80, rows: 24, cellWidth: 0.6, cellHeight: 1.25, letterPx: 11 };

interface WallGrid {
  readonly columns: number;
  readonly tile: Box;
}

export function wallGrid(room: Box, count: number, size: TileSize): WallGrid {
  if (size !== 'auto') return gridOf(room, STEPS[size] ?? STEPS[0]);
  const [floor] = STEPS;
  let best: (WallGrid & { readonly letterPx: number }) | null = null;
  for (let columns = 1; columns <= mostColumns(room.width, floor.width); columns += 1) {
    const rows = Math.ceil(count / columns);
    const width = tileWidth(room.width, columns);
    const height = Math.floor(Math.min((room.height - GAP_PX * (rows - 1)) / rows, width * HIGHEST));
    if (height < floor.height) continue;
    const letterPx = letterSize({ width, height });
    // The layout with more columns wins when letter sizes are equal.
    if (!best || letterPx >= best.letterPx) best = { columns, tile: { width, height }, letterPx };
  }
  return best ?? gridOf(room, floor);
}

/**
 * Returns the index of the next larger (`by` is 1) or smaller (-1) size, or of the last or first one at the ends.
 * With `auto`, the step starts from `shownWidth`.
 */
export function nextSize(size: TileSize, shownWidth: number, by: 1 | -1): number {
  const last = STEPS.length - 1;
  if (size !== 'auto') return Math.min(last, Math.max(0, size + by));
  const found =
    by === 1
      ? STEPS.findIndex(({ width }) => width > shownWidth)
      : STEPS.findLastIndex(({ width }) => width < shownWidth);
  return found >= 0 ? found : by === 1 ? last : 0;
}

function gridOf(room: Box, { width, height }: Box): WallGrid {
  const columns = mostColumns(room.width, width);
  return { columns, tile: { width: tileWidth(room.width, columns), height } };
}

const mostColumns = (room: number, width: number): number =>
  Math.max(1, Math.floor((room + GAP_PX) / (width + GAP_PX)));

const tileWidth = (room: number, columns: number): number =>
  Math.min(WIDEST_PX, (room - GAP_PX * (columns - 1)) / columns);

function letterSize({ width, height }: Box): number {
  const { cols, rows, cellWidth, cellHeight, letterPx } = SCREEN;
  return Math.min(letterPx, width / cols / cellWidth, (height - CAPTION_PX) / rows / cellHeight);
}
