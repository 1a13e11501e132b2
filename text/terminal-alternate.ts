// Keeps the alternate screen free of scrollback: without this, it would keep its previous number of
// rows in xterm.js and scroll after the terminal was made smaller.
import { internalsFor } from './xterm-internals.ts';

/** Parts of xterm.js used here, in the page and in the gateway. */
export interface ResizedTerminal {
  onResize(listener: (size: { readonly rows: number }) => void): unknown;
}

/** Limits the alternate screen to the terminal's rows; call this once, before the terminal is resized. */
export function boundAlternate(terminal: ResizedTerminal): void {
  const buffers = internalsFor(terminal, 'alternate')?.['_bufferService'].buffers;
  if (!buffers) return;
  terminal.onResize(({ rows }) => {
    const { lines } = buffers.alt;
    // xterm.js lowers the limit only of a buffer that has lines; a hidden alternate screen has none.
    if (lines.length === 0) lines.maxLength = rows;
  });
}
