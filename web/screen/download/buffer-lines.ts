// A terminal's buffer as styled lines, read in slices so that a buffer of any length does not block the page.
import type { IBuffer, IBufferCell } from '@xterm/xterm';
import type { Run } from '../log/open-line.ts';
import { PLAIN_STYLE, type Colour, type TextStyle } from '../log/text-style.ts';
import { visible } from '../../../text/visible.ts';
import type { StyledLine } from './styled-line.ts';

/** Number of lines read before yielding to the page: a few milliseconds of work even for the widest lines. */
const SLICE_LINES = 200;

/** Yields the lines in slices, up to `end`; without `end`, trailing empty lines are omitted. */
export async function* linesOf(buffer: IBuffer, end = endOf(buffer)): AsyncGenerator<StyledLine[]> {
  for (let from = 0; from < end; from += SLICE_LINES) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve));
    const lines: StyledLine[] = [];
    for (let y = from; y < Math.min(end, from + SLICE_LINES); y += 1) {
      const line = lineOf(buffer, y);
      if (line) lines.push(line);
    }
    yield lines;
  }
}

function endOf(buffer: IBuffer): number {
  let end = buffer.length;
  while (
    end > 0 &&
    (buffer
      .getLine(end - 1)
      ?.translateToString(true)
      .trimEnd() ?? '') === ''
  )
    end -= 1;
  return end;
}

function lineOf(buffer: IBuffer, y: number): StyledLine | null {
  const line = buffer.getLine(y);
  if (!line) return null;
  const isWrapped = buffer.getLine(y + 1)?.isWrapped ?? false;
  const runs: Run[] = [];
  let text = '';
  // Two cells alternate, so that each can be compared with the previous one.
  let [cell, before] = [buffer.getNullCell(), buffer.getNullCell()];
  for (let x = 0; x < line.length; x += 1) {
    line.getCell(x, cell);
    // Width 0 marks the second half of a wide character.
    if (cell.getWidth() === 0) continue;
    if (runs.length === 0 || !looksLike(cell, before))
      runs.push({ start: text.length, style: styleOf(cell) });
    text += shownOf(cell.getChars());
    [cell, before] = [before, cell];
  }
  const shown = isWrapped ? text : text.trimEnd();
  return {
    from: 'stdout',
    text: shown,
    runs: runs.filter(({ start }) => start < shown.length),
    continues: line.isWrapped,
  };
}

/** Files have no cells to keep characters in place, so hidden characters are written as escapes. */
const shownOf = (chars: string): string =>
  chars.length < 2 && chars < '\u007f' ? chars || ' ' : visible(chars);

const looksLike = (one: IBufferCell, other: IBufferCell): boolean =>
  one.getFgColorMode() === other.getFgColorMode() &&
  one.getFgColor() === other.getFgColor() &&
  one.getBgColorMode() === other.getBgColorMode() &&
  one.getBgColor() === other.getBgColor() &&
  one.isBold() === other.isBold() &&
  one.isDim() === other.isDim() &&
  one.isItalic() === other.isItalic() &&
  one.isUnderline() === other.isUnderline() &&
  one.isStrikethrough() === other.isStrikethrough() &&
  one.isInverse() === other.isInverse();

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
