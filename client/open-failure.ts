// Reasons why a socket did not open.

/** Reason why a socket did not open, which a browser does not report. */
export type OpenFailure = 'refused' | 'unreachable';

/** Text for a refused upgrade, whose reason is unknown. */
export const REFUSED = 'the server refused the connection; check the address and token';
