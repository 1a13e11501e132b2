// What the page itself says to a terminal.

/** A full reset (RIS): nothing of what was there before can be mistaken for the present. */
export const RESET = '\u001bc';
/** Ends whatever sequence was being printed, and its colours. */
export const ABORT = '\u0018\u001b[0m';
export const HIDE_CURSOR = '\u001b[?25l';

/** For a terminal whose program has gone: nobody hears of the mouse, or of the focus, any more. */
export const NOBODY_LISTENS = '\u001b[?9;1000;1002;1003;1004l';
