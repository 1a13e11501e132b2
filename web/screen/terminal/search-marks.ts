// Appearance and number of search marks in a terminal.

/** Maximum number of matches that are marked and counted. */
export const MOST_MATCHES = 1000;

/** Colours readable on either theme; xterm requires #RRGGBB. */
export const MARKS = {
  matchBackground: '#7a5b00',
  matchOverviewRuler: '#d29922',
  activeMatchBackground: '#b0500c',
  activeMatchColorOverviewRuler: '#f0883e',
} as const;
