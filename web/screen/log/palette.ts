// Terminal colours of the page, read from its CSS tokens and shared by terminals and logs.
import type { Palette } from './colours.ts';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const bright = (name: string): string => `bright${name[0]?.toUpperCase()}${name.slice(1)}`;

/** Names of the sixteen colours, in numeric order. */
export const COLOUR_NAMES = [...NAMES, ...NAMES.map(bright)];

export const pageToken = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--term-${name}`).trim();

export function pagePalette(): Palette {
  return {
    foreground: pageToken('foreground'),
    background: pageToken('background'),
    colours: COLOUR_NAMES.map(pageToken),
  };
}
