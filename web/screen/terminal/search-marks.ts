// Appearance and number of search marks in a terminal.

/** Most matches that are marked and counted. */
export const MOST_MATCHES = 1000;

/** Colours that are readable on either theme; xterm requires #RRGGBB. */
export const MARKS = {
  matchBackground: '#7a5b00',
  matchOverviewRuler: '#d29922',
  activeMatchBackground: '#b0500c',
  activeMatchColorOverviewRuler: '#f0883e',
} as const;
