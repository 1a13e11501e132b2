// Invisible characters between the letters of a secret: rule SC4.
import { expect, it } from 'vitest';
import { masked } from './masking.ts';

const SECRET = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
/**
 * Characters that are not drawn, or drawn in the previous cell, apart from the number signs of some scripts.
 */
const NOTHING =
  /^(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}\p{Cf}\u2800]$/u;
const PLANES = [
  [0xa0, 0x1ffff],
  [0xe0000, 0xe0fff],
] as const;

const found: string[] = [];
for (const [first, last] of PLANES)
  for (let code = first; code <= last; code += 1) {
    const character = String.fromCodePoint(code);
    if (NOTHING.test(character)) found.push(character);
  }

/** Returns the secret with one of the characters after each letter. */
const withEach = (between: readonly string[], secret: string): string =>
  Array.from(secret, (letter, at) => letter + (between[at] ?? '')).join('');

it.each([
  ['as text', (text: string): string => text],
  ['as bytes', (text: string): string => Buffer.from(text).toString('latin1')],
])('[SC4] a secret stays masked when invisible characters separate its letters: %s', (_, shape) => {
  expect(found.length).toBeGreaterThan(5000);
  for (let at = 0; at < found.length; at += SECRET.length) {
    const between = found.slice(at, at + SECRET.length);
    const text = shape(`x ghp_${withEach(between, SECRET)} end`);
    const expected = shape(`x ghp_${withEach(between, '*'.repeat(SECRET.length))} end`);
    expect(masked(text), between.map((each) => each.codePointAt(0)?.toString(16)).join()).toBe(expected);
  }
});

it.each(['\u115f', '\u1160', '\u17b4', '\u17b5', '\u3164', '\uffa0', '\u2800', '\u00ad'])(
  '[SC4] a secret stays masked when its prefix contains the filler %j',
  (filler) => {
    expect(masked(`g${filler}hp_${SECRET}`)).toBe(`g${filler}hp_${'*'.repeat(SECRET.length)}`);
  },
);

it('[SC4] letters of other scripts do not count as invisible characters', () => {
  const text = 'größer, 漢字, ไทย, 한국어 and ελληνικά: password of nobody';
  expect(masked(text)).toBe(text);
});
