// The alternate screen, above which there are no lines: xterm.js lets one that is entered after the terminal has become
// smaller keep as many rows as the terminal had before, and scroll.
import { internalsFor } from './xterm-internals.ts';

/** The parts of an xterm.js that this needs, of the page's and of the gateway's. */
export interface ResizedTerminal {
  onResize(listener: (size: { readonly rows: number }) => void): unknown;
}

/** Call once for each terminal, before it has another size. */
export function boundAlternate(terminal: ResizedTerminal): void {
  const buffers = internalsFor(terminal, 'alternate')?.['_bufferService'].buffers;
  if (!buffers) return;
  terminal.onResize(({ rows }) => {
    const { lines } = buffers.alt;
    // One that is shown, or has been left with its lines, is cut by xterm.js itself.
    if (lines.length === 0) lines.maxLength = rows;
  });
}
