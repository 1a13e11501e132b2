// Links of cells (OSC 8), as the sequences that open and close them.
import type { IBuffer, IBufferCell, Terminal } from '@xterm/headless';
import { hasLinks, linkOf, type Link } from './inside.ts';

/**
 * Maximum total characters of all links, because the link of one cell may have thousands; beyond it the links of
 * the oldest rows are omitted.
 */
const MOST_CHARS = 1024 * 1024;
const CLOSED = '\u001b]8;;\u0007';

/**
 * Tracks the open link; `before` returns the sequence to print so that a cell has the same link as in
 * `terminal`.
 */
export class CellLinks {
  readonly #terminal: Terminal;
  #open: Link | null = null;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  before(cell: IBufferCell): string {
    const link = linkOf(this.#terminal, cell);
    if (link?.number === this.#open?.number) return '';
    this.#open = link;
    return link ? openLink(link) : CLOSED;
  }

  close(): string {
    const isOpen = this.#open !== null;
    this.#open = null;
    return isOpen ? CLOSED : '';
  }
}

export const openLink = ({ id, uri }: Link): string => `\u001b]8;${id ? `id=${id}` : ''};${uri}\u0007`;

/** Returns the first row, at or after `from`, such that the links of it and all later rows are within the limit. */
export function firstLinkedRow(terminal: Terminal, buffer: IBuffer, from: number): number {
  if (!hasLinks(terminal)) return from;
  let chars = 0;
  for (let y = buffer.length - 1; y >= from; y -= 1) {
    const links = new CellLinks(terminal);
    const line = buffer.getLine(y);
    for (let x = 0; x < terminal.cols; x += 1) {
      const cell = line?.getCell(x);
      if (cell && cell.getChars() !== '') chars += links.before(cell).length;
      if (chars > MOST_CHARS) return y + 1;
    }
  }
  return from;
}
