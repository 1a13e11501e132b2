// Converts the cells of a buffer to output that results in the same lines, colours and wraps on a fresh
// terminal. The serializer of xterm.js is not used: it loses the background of blank cells after insertions
// and scrolls, misplaces rows that wrap while they are blank, and cannot insert other state into its text.
import type { IBuffer, IBufferCell, IBufferLine, Terminal } from '@xterm/headless';
import { CellLinks, firstLinkedRow } from './cell-links.ts';
import { isProtectedCell, plainAttributesOf, underlineOf } from './inside.ts';
import { joinsText, textCells } from '../../text/characters.ts';

const RESET = '\u001b[0m';
const WRAP = '\u001b[?7h';
const NO_WRAP = '\u001b[?7l';
/** Protects the following characters from selective erasing (DECSCA); colours do not change it. */
export const PROTECT = '\u001b[1"q';
export const DO_NOT_PROTECT = '\u001b[0"q';

/**
 * Yields the output for the rows of a buffer of `terminal`, from row `from` to the last one; ends on the last
 * row, with a plain pen and no open link.
 */
export function* cellsOf(terminal: Terminal, buffer: IBuffer, from: number): Generator<string> {
  const { cols } = terminal;
  yield RESET;
  const links = new CellLinks(terminal);
  const firstLinked = firstLinkedRow(terminal, buffer, from);
  for (let y = from; y < buffer.length; y += 1) {
    const line = buffer.getLine(y);
    if (!line) break;
    const row = printed(line, cols, y >= firstLinked ? links : null);
    yield y + 1 < buffer.length ? row.text + toNextRow(buffer.getLine(y + 1), row, cols) : row.text;
  }
  yield links.close();
}

/** Returns the last character of a row, and the column from which printing it leaves a wrap pending. */
export function lastOf(
  line: IBufferLine,
  cols: number,
  links: CellLinks | null,
): { readonly from: number; readonly text: string } {
  const from = line.getCell(cols - 2)?.getWidth() === 2 ? cols - 2 : cols - 1;
  const cells = Array.from({ length: cols - from }, (_, x) => line.getCell(from + x));
  const text = cells.map((cell, x) => {
    if (!cell || (x > 0 && cell.getWidth() === 0)) return '';
    const pen = penOf(cell);
    return `${pen}${links?.before(cell) ?? ''}${charsOf(cell, pen) || ' '}${afterPen(pen)}`;
  });
  const isOverprinted = text.length > 1 && text[1] !== '';
  return { from, text: isOverprinted ? `${NO_WRAP}${text.join('')}${WRAP}` : text.join('') };
}

/**
 * Returns the characters of a cell. If the character would be wider when printed together with its marks, the pen's
 * sequence separates them.
 */
function charsOf(cell: IBufferCell, pen: string): string {
  const chars = cell.getChars();
  if (chars.length < 2 || textCells(chars) <= cell.getWidth()) return chars;
  const [first = '', ...marks] = chars;
  return `${first}${pen}${marks.join('')}`;
}

/**
 * Cache of pens' sequences by attributes, because building a sequence for each cell of a large screen takes seconds.
 */
const pens = new Map<string, string>();
const MOST_PENS = 4096;

function penOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return RESET;
  const attributes = plainAttributesOf(cell);
  if (attributes === null) return newPenOf(cell);
  const known = pens.get(attributes);
  if (known !== undefined) return known;
  if (pens.size >= MOST_PENS) pens.clear();
  const pen = newPenOf(cell);
  pens.set(attributes, pen);
  return pen;
}

function newPenOf(cell: IBufferCell): string {
  const params = [
    '0',
    ...(cell.isBold() ? ['1'] : []),
    ...(cell.isDim() ? ['2'] : []),
    ...(cell.isItalic() ? ['3'] : []),
    ...(cell.isBlink() ? ['5'] : []),
    ...(cell.isInverse() ? ['7'] : []),
    ...(cell.isInvisible() ? ['8'] : []),
    ...(cell.isStrikethrough() ? ['9'] : []),
    ...(cell.isOverline() ? ['53'] : []),
    ...colour(38, cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    ...colour(48, cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    ...underline(cell),
  ];
  const sequence = params.length === 1 ? RESET : `\u001b[${params.join(';')}m`;
  return isProtectedCell(cell) ? sequence + PROTECT : sequence;
}

/** Returns the sequence that ends a pen's protection, which colours do not end; empty for a pen without it. */
const afterPen = (pen: string): string => (pen.endsWith(PROTECT) ? DO_NOT_PROTECT : '');

function colour(kind: 38 | 48, isRgb: boolean, isPalette: boolean, value: number): string[] {
  if (isRgb) return [`${kind};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`];
  return isPalette ? [`${kind};5;${value}`] : [];
}

function underline(cell: IBufferCell): string[] {
  const { style, colour: value } = underlineOf(cell);
  const styles = style > 1 ? [`4:${style}`] : style === 1 ? ['4'] : [];
  if (value === null) return styles;
  const { isRgb, number } = value;
  const rgb = `${number >> 16}:${(number >> 8) & 0xff}:${number & 0xff}`;
  return [...styles, isRgb ? `58:2::${rgb}` : `58:5:${number}`];
}

interface Printed {
  readonly text: string;
  /** True when a wrap is pending, so that the next character is printed on the next row. */
  readonly isFull: boolean;
  /** Pen of the last cell, blank or not; unused if `isFull`. */
  readonly lastPen: string;
  /** Characters of the last cell, which those of the next row could join; empty for a blank or half a character. */
  readonly lastChars: string;
}

/** Returns the output that prints a row, from the first column with a plain pen; it leaves a plain pen. */
function printed(line: IBufferLine, cols: number, links: CellLinks | null): Printed {
  let text = '';
  let pen = RESET;
  let blanks = 0;
  let isFull = false;
  let lastChars = '';
  let wasWide = false;
  const flush = (): void => {
    // Blank cells with a pen are erased with it, for its background; the cursor only moves over the others.
    if (blanks > 0) text += pen === RESET ? forward(blanks) : `\u001b[${blanks}X${forward(blanks)}`;
    blanks = 0;
  };
  for (let x = 0; x < Math.min(cols, line.length); x += 1) {
    const cell = line.getCell(x);
    if (!cell) continue;
    const isSecondHalf = wasWide && cell.getWidth() === 0;
    wasWide = cell.getWidth() === 2;
    // The first half has printed this cell; only a second half without its first half is printed, as a blank.
    if (isSecondHalf) continue;
    const isHalf = wasWide && line.getCell(x + 1)?.getWidth() !== 0;
    // A second half can only be overprinted in the last column with autowrap off, so that its first half
    // remains.
    if (isHalf && x === cols - 2) {
      flush();
      return {
        text: text + afterPen(pen) + lastOf(line, cols, links).text + RESET,
        isFull: true,
        lastPen: pen,
        lastChars: '',
      };
    }
    // A first half without its second half is printed as a blank.
    const next = penOf(cell);
    const chars = isHalf ? ' ' : charsOf(cell, next);
    if (next !== pen || (chars !== '' && blanks > 0)) flush();
    // A sequence in between prevents the text of two cells from joining.
    if (next !== pen || joinsText(lastChars, chars)) text += afterPen(pen) + next;
    pen = next;
    lastChars = chars;
    if (chars === '') {
      blanks += 1;
    } else {
      text += (links?.before(cell) ?? '') + chars;
      isFull = x + (isHalf ? 1 : cell.getWidth()) >= cols;
    }
  }
  if (blanks > 0 && pen !== RESET) text += `\u001b[${blanks}X`;
  return { text: pen === RESET ? text : text + afterPen(pen) + RESET, isFull, lastPen: pen, lastChars };
}

function toNextRow(next: IBufferLine | undefined, row: Printed, cols: number): string {
  if (!next?.isWrapped) return '\r\n';
  const first = next.getCell(0);
  // A wrap that scrolls while a background is set would fill the new row with that background.
  if (row.isFull && first && first.getChars() !== '' && first.isBgDefault())
    return joinsText(row.lastChars, first.getChars()) ? RESET : '';
  // Only a character after the last column wraps, so one is printed to force the wrap, and then removed.
  const toLast = `\r${forward(cols - 1)}`;
  const force = row.isFull ? '.' : `${toLast}..`;
  const takeBack = row.isFull ? '' : `\u001b[A${toLast}${row.lastPen}\u001b[X${RESET}\u001b[B`;
  return `${force}${takeBack}\r\u001b[X`;
}

const forward = (count: number): string => (count > 0 ? `\u001b[${count}C` : '');
