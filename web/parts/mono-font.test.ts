// The page's declaration of the monospaced font, compared with that of the font's package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

const facesIn = (css: string): string[] => css.match(/@font-face \{[^}]*\}/g) ?? [];

const partsOf = (face: string): unknown[] => [
  /files\/([\w-]+\.woff2)/.exec(face)?.[1],
  /unicode-range:([^;]*);/.exec(face)?.[1]?.replaceAll(/\s/g, ''),
];

const own = facesIn(readFileSync(new URL('mono-font.css', import.meta.url), 'utf8'));

it('the monospaced font has every file of its package, each for the same characters', () => {
  const require = createRequire(import.meta.url);
  const path = require.resolve('@fontsource-variable/jetbrains-mono/wght.css');
  const theirs = facesIn(readFileSync(path, 'utf8')).map(partsOf);
  expect(theirs.length).toBeGreaterThan(1);
  expect(own.map(partsOf)).toEqual(theirs);
});

it('the monospaced font joins no characters of a command, in any of its files', () => {
  for (const face of own) expect(face).toContain("font-feature-settings: 'calt' 0;");
});
