// What a process with a tty has printed, as the lines of a terminal: drawn by one that nobody sees, wrapped lines joined.
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { Terminal, type IBuffer, type IBufferCell } from '@xterm/xterm';
import type { Retained } from './retained-output.ts';
import type { StyledLine } from './styled-line.ts';
import type { Run } from '../log/open-line.ts';
import { PLAIN_STYLE, type Colour, type TextStyle } from '../log/text-style.ts';
import { bytesText } from '../processes/process-status.ts';
import { ABORT } from '../terminal/control-sequences.ts';

/** More than the output that a gateway retains of a process can fill with lines of words. */
const SCROLLBACK_LINES = 100_000;
/** What would reorder a line: a page of text has no cells to keep letters at their places. */
const BIDI = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export async function* readAsTerminal(
  pages: AsyncIterable<readonly Retained[]>,
  size: { readonly rows: number; readonly cols: number },
): AsyncGenerator<StyledLine[]> {
  const terminal = new Terminal({
    rows: size.rows,
    cols: size.cols,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
  });
  try {
    terminal.loadAddon(new UnicodeGraphemesAddon());
    terminal.unicode.activeVersion = '15-graphemes';
    for await (const page of pages) for (const event of page) await draw(terminal, event);
    const { normal, active } = terminal.buffer;
    yield linesOf(normal);
    // A full-screen program has a screen of its own beside.
    if (active.type === 'alternate') yield linesOf(active);
  } finally {
    terminal.dispose();
  }
}

/** Waits until it is drawn, so that no more than a page is ever under way. */
function draw(terminal: Terminal, event: Retained): Promise<void> {
  if (event.kind === 'resized') {
    terminal.resize(event.size.cols, event.size.rows);
    return Promise.resolve();
  }
  const what =
    event.kind === 'output' ? event.bytes : `${ABORT}\r\n— ${bytesText(event.bytes)} not shown —\r\n`;
  return new Promise((resolve) => terminal.write(what, resolve));
}

function linesOf(buffer: IBuffer): StyledLine[] {
  const lines: StyledLine[] = [];
  for (let y = 0; y < buffer.length; y += 1) {
    const line = lineOf(buffer, y);
    if (line) lines.push(line);
  }
  const end = lines.findLastIndex(({ text }) => text.trimEnd() !== '') + 1;
  return lines.slice(0, end);
}

function lineOf(buffer: IBuffer, y: number): StyledLine | null {
  const line = buffer.getLine(y);
  if (!line) return null;
  const isWrapped = buffer.getLine(y + 1)?.isWrapped ?? false;
  const runs: Run[] = [];
  let text = '';
  let look = '';
  const cell = buffer.getNullCell();
  for (let x = 0; x < line.length; x += 1) {
    line.getCell(x, cell);
    // The second half of a wide character.
    if (cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const styleText = JSON.stringify(style);
    if (styleText !== look) {
      runs.push({ start: text.length, style });
      look = styleText;
    }
    text += cell.getChars() || ' ';
  }
  const shown = isWrapped ? text : text.trimEnd();
  return {
    from: 'stdout',
    text: shown.replace(BIDI, '\ufffd'),
    runs: runs.filter(({ start }) => start < shown.length),
    continues: line.isWrapped,
  };
}

function styleOf(cell: IBufferCell): TextStyle {
  const colour = (isDefault: boolean, isRgb: boolean, value: number): Colour | null => {
    if (isDefault) return null;
    return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
  };
  return {
    ...PLAIN_STYLE,
    colour: colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    strike: cell.isStrikethrough() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}
