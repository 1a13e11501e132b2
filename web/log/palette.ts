// The page's terminal colours, read from its tokens: one list of them for terminals and logs.
import type { Palette } from './colours.ts';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const COLOURS = [...NAMES, ...NAMES.map((name) => `bright${name[0]?.toUpperCase()}${name.slice(1)}`)];

export function pagePalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--term-${name}`).trim();
  return {
    foreground: token('foreground'),
    background: token('background'),
    colours: COLOURS.map(token),
  };
}
