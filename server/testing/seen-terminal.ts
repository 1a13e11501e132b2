// Visible state of a terminal, for comparing two terminals cell by cell.
import headless from '@xterm/headless';
import type { Size } from '../../protocol/scalars.ts';
import { linkOf, underlineOf } from '../screens/inside.ts';
import { applyTerminalRules, TERMINAL_OPTIONS } from '../../text/terminal-rules.ts';

export function freshTerminal({ rows, cols }: Size, scrollback: number): headless.Terminal {
  const made = new headless.Terminal({ ...TERMINAL_OPTIONS, rows, cols, scrollback });
  applyTerminalRules(made);
  return made;
}

export const written = (to: headless.Terminal, data: Buffer | string): Promise<void> =>
  new Promise((resolve) => to.write(data, resolve));

const colourKind = (isRgb: boolean, isPalette: boolean): string => (isRgb ? '#' : isPalette ? 'p' : '-');

/** Returns the visible state; blank cells are compared only by their background. */
export function seen(terminal: headless.Terminal) {
  const { buffer, modes, cols } = terminal;
  const cells = (from: headless.IBuffer): string[] =>
    Array.from({ length: from.length }, (_, y) => {
      const line = from.getLine(y);
      const row = Array.from({ length: cols }, (_, x) => {
        const cell = line?.getCell(x);
        if (!cell) return '';
        const isBlank = cell.getChars() === '' || cell.getChars() === ' ';
        const flags = [
          cell.isBold() > 0,
          cell.isItalic() > 0,
          cell.isDim() > 0,
          cell.isBlink() > 0,
          cell.isInverse() > 0,
          cell.isInvisible() > 0,
          cell.isStrikethrough() > 0,
          cell.isOverline() > 0,
        ].map(Number);
        const fg = isBlank ? '' : `${colourKind(cell.isFgRGB(), cell.isFgPalette())}${cell.getFgColor()}`;
        const link = linkOf(terminal, cell);
        const more = isBlank ? '' : JSON.stringify([underlineOf(cell), link?.id, link?.uri]);
        const background = `${colourKind(cell.isBgRGB(), cell.isBgPalette())}${cell.getBgColor()}`;
        return `${isBlank ? ' ' : cell.getChars()}${isBlank ? '' : flags.join('')}${fg}${more}|${background}`;
      });
      // The first line counts as unwrapped, even if it continues a line that has scrolled away.
      return `${line?.isWrapped && y > 0 ? '~' : ''}${row.join(',')}`;
    });
  return {
    normal: cells(buffer.normal),
    alternate: buffer.active.type === 'alternate' ? cells(buffer.alternate) : [],
    active: buffer.active.type,
    cursor: [buffer.active.cursorX, buffer.active.cursorY, buffer.active.baseY],
    modes,
  };
}
