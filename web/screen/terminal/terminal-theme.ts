// Converts the page's palette to an xterm theme.
import type { ITheme } from '@xterm/xterm';
import { COLOUR_NAMES, pagePalette, pageToken } from '../log/palette.ts';

export function terminalTheme(): ITheme {
  const { foreground, background, colours } = pagePalette();
  return {
    background,
    foreground,
    cursor: pageToken('cursor'),
    cursorAccent: background,
    selectionBackground: pageToken('selection'),
    ...Object.fromEntries(COLOUR_NAMES.map((name, at) => [name, colours[at]])),
  };
}
