// Clusters and widths, checked against Unicode's test data and against other implementations.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getEAW } from 'meaw';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { characterTable } from '../scripts/character-table.mjs';
import { UNICODE_VERSION } from './character-table.ts';
import {
  cellsOf,
  isInvisible,
  joins,
  joinsText,
  lastClusterStart,
  NOTHING_BEFORE,
  stateAfter,
  textCells,
} from './characters.ts';

const HERE = import.meta.dirname;

/** Returns the clusters in the notation of Unicode's test data. */
function broken(codePoints: readonly number[]): string {
  let state: number = NOTHING_BEFORE;
  const marked = codePoints.map((codePoint) => {
    const mark = joins(state, codePoint) ? '×' : '÷';
    state = stateAfter(state, codePoint);
    return `${mark} ${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return [...marked, '÷'].join(' ');
}

const codePointsOf = (sample: string): number[] =>
  [...sample.matchAll(/[0-9A-F]{4,}/g)].map(([hex]) => parseInt(hex, 16));

const all = (of: (codePoint: number) => boolean): string[] => {
  const found: string[] = [];
  for (let codePoint = 0x20; codePoint < 0x110000; codePoint += 1) {
    const isHalf = codePoint >= 0xd800 && codePoint <= 0xdfff;
    const isControl = codePoint >= 0x7f && codePoint < 0xa0;
    if (!isHalf && !isControl && of(codePoint)) found.push(codePoint.toString(16));
  }
  return found;
};

it('the character table equals the one that is generated from the installed Unicode data', async () => {
  expect(readFileSync(join(HERE, 'character-table.ts'), 'utf8')).toBe(await characterTable());
});

it('clusters break where the Unicode test data do', () => {
  const samples = readFileSync(join(HERE, 'grapheme-break-test.txt'), 'utf8')
    .split('\n')
    // CR and LF, which Unicode joins, never follow each other within a line.
    .filter((line) => line.startsWith('÷') && !line.includes('000D × 000A'));
  expect(samples.length).toBeGreaterThan(1000);
  expect(samples.map((sample) => broken(codePointsOf(sample)))).toEqual(samples);
});

/** True if the Unicode data of the JavaScript engine have the same major version. */
const isEngineAsNew = process.versions['unicode']?.startsWith(UNICODE_VERSION.slice(0, 2)) ?? false;

it.runIf(isEngineAsNew)(
  'clusters break where those of the JavaScript engine do, next to every Unicode character',
  () => {
    const segmenter = new Intl.Segmenter();
    const isOne = (text: string): boolean => segmenter.segment(text).containing(0)?.segment === text;
    // Skips ideographs, Tangut, private-use and unassigned characters, and most Hangul, since they behave alike.
    const isOther = /[\p{Cn}\p{Co}\p{Unified_Ideograph}\u{ac80}-\u{d700}\p{Script=Tangut}]/u;
    const differing = all((codePoint) => {
      const character = String.fromCodePoint(codePoint);
      if (isOther.test(character)) return false;
      const before = ['a', '👩\u200d', 'क\u094d', '\u1100', '🇩'];
      const after = ['a', '\u0301', '\u11a8', '🇩'];
      return (
        before.some((other) => joinsText(other, character) !== isOne(other + character)) ||
        after.some((other) => joinsText(character, other) !== isOne(character + other))
      );
    });
    expect(differing).toEqual([]);
  },
);

it('exactly the non-mark characters that meaw considers wide take two cells', () => {
  const isMark = /\p{Mn}/u;
  const isAssigned = /\p{Assigned}/u;
  const differing = all((codePoint) => {
    const character = String.fromCodePoint(codePoint);
    const isWide = ['W', 'F'].includes(getEAW(character) ?? '') && !isMark.test(character);
    return isAssigned.test(character) && (cellsOf(codePoint) === 2) !== isWide;
  });
  expect(differing).toEqual([]);
});

describe('The width of a character', () => {
  const differing = all((codePoint) => cellsOf(codePoint) !== stringWidth(String.fromCodePoint(codePoint)));
  const but = (pattern: RegExp): string[] =>
    differing.filter((hex) => pattern.test(String.fromCodePoint(parseInt(hex, 16))));
  const HANGUL = /[\u1160-\u11ff\ud7b0-\ud7ff]/;
  const FILLERS = /[\u115f\u3164\uffa0]/;
  const PREPENDED = /(?=\p{Cf})[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
  const SOFT_HYPHEN = /\u00ad/;
  const SEPARATORS = /[\u2028\u2029]/;

  it('is 0 for Hangul vowels and finals, which share the cells of their syllable', () => {
    expect(but(HANGUL).every((hex) => cellsOf(parseInt(hex, 16)) === 0)).toBe(true);
  });
  it('equals that of the represented letter for Hangul fillers', () => {
    expect(but(FILLERS).map((hex) => cellsOf(parseInt(hex, 16)))).toEqual([2, 2, 1]);
  });
  it('is 1 for signs that are drawn before the number that follows', () => {
    expect(but(PREPENDED).every((hex) => cellsOf(parseInt(hex, 16)) === 1)).toBe(true);
  });
  it('differs from that of string-width for line separators, which no terminal shows', () => {
    expect(but(SEPARATORS)).toEqual(['2028', '2029']);
  });
  it('is 1 for the soft hyphen, which a terminal shows as a hyphen', () => {
    expect(but(SOFT_HYPHEN).map((hex) => cellsOf(parseInt(hex, 16)))).toEqual([1]);
  });
  it('equals that of string-width for all other characters', () => {
    const known = [HANGUL, FILLERS, PREPENDED, SEPARATORS, SOFT_HYPHEN].flatMap((pattern) => but(pattern));
    expect(differing.filter((hex) => !known.includes(hex))).toEqual([]);
  });
});

it.each([
  ['an emoji of Unicode 14 to 17', '\u{1FAE0}\u{1FAE8}\u{1FAE9}\u{1FAEA}\u{1F6DC}', 10],
  ['characters that became wide later', '\u2FFC\u31EF\u4DC0\u{1D300}', 8],
  ['format characters', '\u200b\u200e\u200f\u2060\u2069\u202a\u202e\u061c\u180e\ufeff', 0],
  ['a soft hyphen', 'wo\u00adrd\u00ad', 6],
  ['a flag', '🇩🇪', 2],
  ['a family', '👩‍👩‍👧‍👦', 2],
  ['a text symbol shown as an emoji', '❤\ufe0f', 2],
  ['a text symbol', '❤', 1],
  ['a key cap', '1\ufe0f\u20e3', 2],
  ['a letter with a selector that has no effect', 'a\ufe0f', 1],
  ['a hand with a skin tone', '👋🏽', 2],
  ['a letter with marks', 'e\u0301\u0302', 1],
  ['a syllable of several letters', '\u1112\u1161\u11ab', 2],
  ['a conjunct', 'क्ष', 2],
  ['a letter with a vowel sign beside it', 'का', 2],
  ['a half-width letter with its mark', 'ｶﾞ', 2],
])('textCells counts the cells of %s', (_, text, cells) => expect(textCells(text)).toBe(cells));

it('lastClusterStart returns the start of the last cluster', () => {
  expect(lastClusterStart('')).toBe(0);
  expect(lastClusterStart('ab')).toBe(1);
  expect(lastClusterStart('a👩‍👧')).toBe(1);
  expect(lastClusterStart('🇩🇪🇫🇷')).toBe(4);
  expect(lastClusterStart('ab\u200b\u1160')).toBe(1);
  expect(lastClusterStart('ab\t')).toBe(2);
  expect(lastClusterStart('ab\r\n')).toBe(3);
});

it('isInvisible is false for characters that mark or join others', () => {
  expect(['\u200b', '\u202e', '\u2066'].every((each) => isInvisible(each.codePointAt(0) ?? 0))).toBe(true);
  expect(
    ['\u00ad', '\u200c', '\u200d', '\u0301', 'a'].some((each) => isInvisible(each.codePointAt(0) ?? 0)),
  ).toBe(false);
});
