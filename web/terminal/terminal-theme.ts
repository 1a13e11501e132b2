// Our tokens as xterm's theme, read from the page so that there is one list of colours.
import type { ITheme } from '@xterm/xterm';

const NAMES = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

export function terminalTheme(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--term-${name}`).trim();
  return {
    background: token('background'),
    foreground: token('foreground'),
    cursor: token('cursor'),
    cursorAccent: token('background'),
    selectionBackground: token('selection'),
    ...Object.fromEntries(NAMES.map((name) => [name, token(name)])),
  };
}
