// Rules for all xterm.js instances, so that the page and the gateway draw the same.
import { boundAlternate, type ResizedTerminal } from './terminal-alternate.ts';
import { measureCells, type MeasuredTerminal } from './terminal-cells.ts';
import { limitCounts, type CountedTerminal } from './terminal-counts.ts';
import { limitLinks } from './terminal-links.ts';
import { restoreWholeCursor, type SavingTerminal } from './terminal-saving.ts';
import { shiftOnce } from './terminal-shifts.ts';
import { resetUnderlineColour } from './terminal-underlines.ts';

/**
 * Logging is off because a program's output could otherwise flood the browser's console or the gateway's
 * stderr.
 */
export const TERMINAL_OPTIONS = { allowProposedApi: true, logLevel: 'off' } as const;

/** Applies all rules to a terminal; call this once, before any write to it and before other handlers are registered. */
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
