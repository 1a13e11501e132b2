// Rules common to every xterm.js, in the page and in the gateway, so that all of them draw the same.
import { boundAlternate, type ResizedTerminal } from './terminal-alternate.ts';
import { measureCells, type MeasuredTerminal } from './terminal-cells.ts';
import { limitCounts, type CountedTerminal } from './terminal-counts.ts';
import { limitLinks } from './terminal-links.ts';
import { restoreWholeCursor, type SavingTerminal } from './terminal-saving.ts';
import { shiftOnce } from './terminal-shifts.ts';
import { resetUnderlineColour } from './terminal-underlines.ts';

/** A program decides what a terminal is fed with: at any other level it could fill the console or the gateway's stderr. */
export const TERMINAL_OPTIONS = { allowProposedApi: true, logLevel: 'off' } as const;

/** Call once for each terminal, before anything is written to it and before other handlers are registered. */
export function applyTerminalRules(
  terminal: CountedTerminal & MeasuredTerminal & ResizedTerminal & SavingTerminal,
): void {
  measureCells(terminal);
  limitCounts(terminal);
  restoreWholeCursor(terminal);
  shiftOnce(terminal);
  boundAlternate(terminal);
  limitLinks(terminal);
  resetUnderlineColour(terminal);
}
