// Control sequences that the page itself writes to a terminal.

/** A full reset (RIS), after which nothing older is on the screen. */
export const RESET = '\u001bc';
/** Ends any unfinished sequence, and resets the style. */
export const ABORT = '\u0018\u001b[0m';
export const HIDE_CURSOR = '\u001b[?25l';

/** Turns off mouse and focus reports, for a terminal whose program has exited. */
export const REPORTS_OFF = '\u001b[?9;1000;1002;1003;1004l';
