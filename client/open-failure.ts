// Reasons why a socket did not open.

/** Reason why a socket did not open: `refused` if a retry is useless, `unreachable` if it may succeed. */
export type OpenFailure = 'refused' | 'unreachable';

/** Text for a refused upgrade, whose reason is unknown. */
export const REFUSED = 'the server refused the connection; check the address and token';
