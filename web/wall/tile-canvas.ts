// Draws the picture of a process into a canvas of any size: its letters as small as they have to be.
import type { StyledRun, Tile } from '../../server/protocol/looks.ts';
import { terminalTheme } from '../terminal/terminal-theme.ts';

const FONT = '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace';
const INSET_PX = 6;
/** Of the letters of this font: width and line height by its size. */
const CELL = { width: 0.6, height: 1.25 };

export function drawTile(canvas: HTMLCanvasElement, tile: Tile): void {
  const context = canvas.getContext('2d');
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!context || width === 0 || height === 0) return;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const colours = palette();
  context.fillStyle = colours.background;
  context.fillRect(0, 0, width, height);
  context.translate(INSET_PX, INSET_PX);
  const cell = { width: (width - 2 * INSET_PX) / tile.cols, height: (height - 2 * INSET_PX) / tile.rows };
  const size = Math.min(cell.width / CELL.width, cell.height / CELL.height);
  const rowHeight = Math.min(cell.height, size * CELL.height);
  context.textBaseline = 'middle';
  for (const [y, line] of tile.lines.entries()) {
    drawLine(context, line, { y: y * rowHeight, rowHeight, cellWidth: size * CELL.width, size, colours });
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
    const width = cellsOf(run.text) * cellWidth;
    const own = colours.of(run.fg) ?? colours.foreground;
    const behind = colours.of(run.bg);
    const [ink, paper] = run.inverse ? [behind ?? colours.background, own] : [own, behind];
    if (paper !== null) {
      context.fillStyle = paper;
      context.fillRect(x, y, width, rowHeight + 0.5);
    }
    context.globalAlpha = run.dim ? 0.6 : 1;
    context.fillStyle = ink;
    context.font = `${run.bold ? 700 : 400} ${size}px ${FONT}`;
    if (run.text.trim() !== '') context.fillText(run.text, x, y + rowHeight / 2);
    context.globalAlpha = 1;
    x += width;
  }
}

/** Wide letters take two; at this size nothing finer can be seen. */
function cellsOf(text: string): number {
  let cells = 0;
  for (const char of text) cells += (char.codePointAt(0) ?? 0) >= 0x1100 && WIDE.test(char) ? 2 : 1;
  return cells;
}
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

interface Palette {
  readonly background: string;
  readonly foreground: string;
  of(colour: number | string | undefined): string | null;
}

const BASIC = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

function palette(): Palette {
  const theme = terminalTheme();
  return {
    background: theme.background ?? '#000',
    foreground: theme.foreground ?? '#fff',
    of: (colour) => {
      if (colour === undefined) return null;
      // From a program: only what is a colour becomes a style.
      if (typeof colour === 'string') return /^#[0-9a-f]{6}$/.test(colour) ? colour : null;
      const basic = BASIC[colour];
      return basic ? (theme[basic] ?? null) : extended(colour);
    },
  };
}

/** The 6 × 6 × 6 cube and the greys of the 256 colours. */
function extended(colour: number): string {
  if (colour >= 232) return grey(8 + (colour - 232) * 10);
  const level = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = colour - 16;
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}

const grey = (value: number): string => `rgb(${value} ${value} ${value})`;
