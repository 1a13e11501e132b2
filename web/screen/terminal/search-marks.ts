// How what a search has found is marked in a terminal, and how much of it.

/** More are not marked, nor counted. */
export const MOST_MATCHES = 1000;

/** Colours that can be read on either theme; xterm wants them as #RRGGBB. */
export const MARKS = {
  matchBackground: '#7a5b00',
  matchOverviewRuler: '#d29922',
  activeMatchBackground: '#b0500c',
  activeMatchColorOverviewRuler: '#f0883e',
} as const;
