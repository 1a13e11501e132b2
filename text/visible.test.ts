// Characters that could hide or reorder text or break a line become visible; ordinary text is unchanged.
import { describe, expect, it } from 'vitest';
import { marksAtEnd, nextHidden, visible, visibleJson, visibleLines, visibleParts } from './visible.ts';

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe('visibleParts', () => {
  it.each([0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000])(
    'escapes the space %i, at which shells do not split words',
    (code) => {
      const [before, space, after] = visibleParts(`rm${String.fromCodePoint(code)}-r x`);
      expect([before?.text, after?.text, space?.isEscape]).toEqual(['rm', '-r x', true]);
    },
  );
});

describe('visible', () => {
  it.each([
    ['controls', [...range(0, 0x1f), ...range(0x7f, 0x9f)]],
    [
      'marks that change the direction of text',
      [0x61c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
    ],
    [
      'characters without width',
      [0xad, 0x34f, 0x180e, ...range(0x200b, 0x200d), ...range(0x2060, 0x206f), 0xfeff],
    ],
    ['letters without a shape', [0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0]],
    ['ends of lines', [0x85, 0x2028, 0x2029]],
    ['interlinear annotations', range(0xfff9, 0xfffb)],
    ['variation selectors', [0x180b, 0x180f, ...range(0xfe00, 0xfe0f), ...range(0xe0100, 0xe01ef)]],
    ['tags', range(0xe0000, 0xe007f)],
    ['shorthand and music that is not drawn', [...range(0x1bca0, 0x1bca3), ...range(0x1d173, 0x1d17a)]],
    ['lone surrogates', [0xd800, 0xdbff, 0xdc00, 0xdfff]],
  ])('shows %s as escapes, in text and in JSON', (_, codes) => {
    for (const code of codes) {
      const character = String.fromCodePoint(code);
      expect(visible(`a${character}b`)).toMatch(/^a\\(?:[nrt]|x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\})b$/);
      const json = visibleJson(JSON.stringify(`a${character}b`));
      expect(json).toMatch(/^"[!-~]*"$/);
      expect(JSON.parse(json)).toBe(`a${character}b`);
    }
  });

  it('escapes marks beyond eight on one character, in time proportional to their number', () => {
    expect(visible(`a${'\u0301'.repeat(10)}`)).toBe(`a${'\u0301'.repeat(8)}\\u0301\\u0301`);
    expect(visible(`a${'\u0301'.repeat(150_000)}b`)).toHaveLength(2 + 8 + (150_000 - 8) * 6);
  });

  it.each([
    ['\u001b[31mred', '\\x1b[31mred'],
    ['a\u202eb', 'a\\u202eb'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u0000\u007f\u009b', '\\x00\\x7f\\x9b'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['tag\u{e0041}s', 'tag\\u{e0041}s'],
    ['pay\u200dpal p\u200cq', 'pay\\u200dpal p\\u200cq'],
    ['👍\u200d', '👍\\u200d'],
    ['\u200d👍', '\\u200d👍'],
    ['👍\u200da', '👍\\u200da'],
  ])('shows %j as %s', (text, shown) => expect(visible(text)).toBe(shown));
  it.each([
    'grüße 漢字 👍',
    '👩‍🚀',
    '🧑🏽‍💻',
    '🏳️‍🌈',
    '👨‍👩‍👧‍👦',
    '❤️‍🔥',
    '❤️',
    '☎︎',
    '1️⃣',
    '葛󠄀',
    'ᠠ᠋',
    '؀١',
    'ẫ',
    'กี่',
    'שָּׁלוֹם',
    'می‌خواهم',
    'क्‍ष',
    'שלום',
  ])('leaves %s as it is', (text) => expect(visible(text)).toBe(text));
});

it('visibleLines keeps line feeds and tabs', () => {
  expect(visibleLines('a\tb\n\u202ec\r\n')).toBe('a\tb\n\\u202ec\\x0d\n');
});

it('nextHidden searches from an index, and returns whole characters', () => {
  expect(nextHidden('a\u202eb\u{e0041}', 0)).toEqual({ index: 1, character: '\u202e' });
  expect(nextHidden('a\u202eb\u{e0041}', 2)).toEqual({ index: 3, character: '\u{e0041}' });
  expect(nextHidden('👩‍🚀', 0)).toBeNull();
});

it('nextHidden counts the marks before the text', () => {
  const marks = '\u0301'.repeat(8);
  expect(nextHidden(`a${marks}`, 0, 8)).toBeNull();
  expect(nextHidden(`a${marks}\u0302`, 0)).toEqual({ index: 9, character: '\u0302' });
  expect(nextHidden(`${marks}\u0302`, 0, 5)).toEqual({ index: 3, character: '\u0301' });
  expect(nextHidden('\u202e\u0301', 0, 8)).toEqual({ index: 0, character: '\u202e' });
  expect(['a', `a${marks}`, '\u0301', '\u{1d165}'].map((text) => marksAtEnd(text, 3))).toEqual([0, 8, 4, 4]);
});
