// Cuts fall between characters, and text that fits stays as it is.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cutIndex, cutTo, headOf } from './cut.ts';
import { excerpt } from './excerpt.ts';

const PARTY = '\u{1f389}';
/** Matches a lone surrogate, which is half of a split character. */
const LONE = /\p{Cs}/u;

it.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  [PARTY.repeat(3), 6, PARTY.repeat(3)],
  [PARTY.repeat(3), 5, `${PARTY.repeat(2)}…`],
  [PARTY.repeat(3), 4, `${PARTY.repeat(2)}…`],
  [PARTY, 1, '…'],
  ['abc', 0, '…'],
])('cutTo of %j to %i characters is %j', (text, chars, expected) => {
  expect(cutTo(text, chars)).toBe(expected);
});

it('headOf adds no ellipsis, and leaves a lone surrogate unchanged', () => {
  expect(headOf(`ab${PARTY}`, 3)).toBe('ab');
  expect(headOf('ab\ud83dc', 3)).toBe('ab\ud83d');
  expect(headOf('ab', 3)).toBe('ab');
});

it('cutIndex moves only an index in the middle of a character', () => {
  expect([0, 1, 2, 3, 4, 9].map((index) => cutIndex(`a${PARTY}b`, index))).toEqual([0, 1, 1, 3, 4, 9]);
});

it.each([0, 1])('an excerpt begins and ends between characters: %i', (shift) => {
  const line = `${'x'.repeat(shift)}${PARTY.repeat(200)}error${PARTY.repeat(200)}`;
  const at = line.indexOf('error');
  const { text, start, end } = excerpt(line, at, at + 5);
  expect(text.slice(start, end)).toBe('error');
  expect(text).not.toMatch(LONE);
  expect(text.length).toBeLessThanOrEqual(300);
});

it('an excerpt ends within a match that is longer', () => {
  const { text, start, end } = excerpt(PARTY.repeat(400), 101, 700);
  expect(text).not.toMatch(LONE);
  expect([start, end]).toEqual([61, text.length]);
});

it('no other source cuts text before an ellipsis itself, since it could split a character', () => {
  const root = join(import.meta.dirname, '..');
  const sources = ['client', 'protocol', 'server', 'text', 'web'].flatMap((house) =>
    readdirSync(join(root, house), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => join(house, name)),
  );
  expect(sources.length).toBeGreaterThan(500);
  const truncates = /\.slice\(0, [^)]*\)(?:\.\w+\(\))?\} ?…/;
  const found = sources.filter((name) => truncates.test(readFileSync(join(root, name), 'utf8')));
  expect(found).toEqual([]);
});
