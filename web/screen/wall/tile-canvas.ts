// Draws the picture of a process on a canvas of any size, with readable letters.
import { textCells } from '../../../text/characters.ts';
import type { StyledRun, Tile } from '../../../protocol/looks.ts';
import { drawnColours, type Drawn, type Palette } from '../log/colours.ts';
import { pagePalette } from '../log/palette.ts';
import { PLAIN_STYLE } from '../log/text-style.ts';
import { cropOf } from './tile-crop.ts';

const FONT = '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace';
const INSET_PX = { x: 5, y: 2 };

export function drawTile(canvas: HTMLCanvasElement, tile: Tile): void {
  const context = canvas.getContext('2d');
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!context || width === 0 || height === 0) return;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const colours = pagePalette();
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, height);
  context.beginPath();
  context.rect(INSET_PX.x, 0, width - 2 * INSET_PX.x, height);
  context.clip();
  context.translate(INSET_PX.x, INSET_PX.y);
  const { firstRow, rows, size, rowHeight, cellWidth } = cropOf(tile, {
    width: width - 2 * INSET_PX.x,
    height: height - 2 * INSET_PX.y,
  });
  context.textBaseline = 'middle';
  for (const [y, line] of tile.lines.slice(firstRow, firstRow + rows).entries()) {
    drawLine(context, line, { y: y * rowHeight, rowHeight, cellWidth, size, colours });
  }
}

interface Place {
  readonly y: number;
  readonly rowHeight: number;
  readonly cellWidth: number;
  readonly size: number;
  readonly colours: Palette;
}

function drawLine(context: CanvasRenderingContext2D, line: readonly StyledRun[], place: Place): void {
  const { y, rowHeight, cellWidth, size, colours } = place;
  let x = 0;
  for (const run of line) {
    const width = textCells(run.text) * cellWidth;
    const { colour, background } = coloursOf(run, colours);
    if (background !== null) {
      context.fillStyle = background;
      context.fillRect(x, y, width, rowHeight + 0.5);
    }
    context.fillStyle = colour ?? colours.foreground;
    context.font = `${run.bold ? 700 : 400} ${size}px ${FONT}`;
    if (run.text.trim() !== '') context.fillText(run.text, x, y + rowHeight / 2);
    x += width;
  }
}

/**
 * Returns the colours of a run as terminals and logs draw them, so that text contrasts with its background.
 */
function coloursOf({ fg, bg, dim, inverse }: StyledRun, palette: Palette): Drawn {
  return drawnColours(
    {
      ...PLAIN_STYLE,
      colour: ofProgram(fg),
      background: ofProgram(bg),
      dim: dim ?? false,
      inverse: inverse ?? false,
    },
    palette,
  );
}

/** Returns a colour chosen by a program; null when it is neither a palette index nor `#rrggbb`. */
function ofProgram(colour: number | string | undefined): number | string | null {
  if (typeof colour === 'number') return colour;
  return colour !== undefined && /^#[0-9a-f]{6}$/.test(colour) ? colour : null;
}
