// Converts a terminal's screen to styled text, so that a client can show it without a terminal.
import type { IBuffer, IBufferCell, Terminal } from '@xterm/headless';
import type { StyledRun } from '../../protocol/looks.ts';
import type { Picture } from './messages.ts';

/** Maximum size of a picture, more than a tile can show legibly. */
const MOST_ROWS = 200;
const MOST_COLS = 400;

/** Returns the screen, or the part with the cursor's row if it is too large; rows have no invisible trailing blanks. */
export function pictureOf(terminal: Terminal): Picture {
  const { active } = terminal.buffer;
  const rows = Math.min(terminal.rows, MOST_ROWS);
  const cols = Math.min(terminal.cols, MOST_COLS);
  const top = Math.max(0, active.cursorY + 1 - rows);
  return { rows, cols, lines: styledLines(active, { top: active.baseY + top, rows, cols }) };
}

function styledLines(
  buffer: IBuffer,
  { top, rows, cols }: { readonly top: number; readonly rows: number; readonly cols: number },
): StyledRun[][] {
  return Array.from({ length: rows }, (_, y) => {
    const line = buffer.getLine(top + y);
    const runs: StyledRun[] = [];
    for (let x = 0; x < cols; x += 1) {
      const cell = line?.getCell(x);
      if (cell && cell.getWidth() > 0) add(runs, cell);
    }
    return withoutBlankEnd(runs);
  });
}

function add(runs: StyledRun[], cell: IBufferCell): void {
  const style = styleOf(cell);
  const text = cell.getChars() || ' ';
  const last = runs.at(-1);
  if (last && isSame(last, style)) runs[runs.length - 1] = { ...last, text: last.text + text };
  else runs.push({ text, ...style });
}

type Style = Omit<StyledRun, 'text'>;

function styleOf(cell: IBufferCell): Style {
  const own = colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const behind = colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  return {
    ...(own !== null && { fg: own }),
    ...(behind !== null && { bg: behind }),
    ...(cell.isBold() > 0 && { bold: true }),
    ...(cell.isDim() > 0 && { dim: true }),
    ...(cell.isInverse() > 0 && { inverse: true }),
  };
}

/** Returns a colour as in `StyledRun`; null for the default colour. */
function colour(isRgb: boolean, isPalette: boolean, value: number): number | string | null {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  return isPalette ? value : null;
}

const isSame = (a: Style, b: Style): boolean =>
  a.fg === b.fg && a.bg === b.bg && a.bold === b.bold && a.dim === b.dim && a.inverse === b.inverse;

function withoutBlankEnd(runs: StyledRun[]): StyledRun[] {
  const last = runs.at(-1);
  if (!last || last.bg !== undefined || last.inverse) return runs;
  const text = last.text.trimEnd();
  if (text === last.text) return runs;
  return text === '' ? withoutBlankEnd(runs.slice(0, -1)) : [...runs.slice(0, -1), { ...last, text }];
}
