// Input on an approval card shows every byte, including bytes that are not UTF-8.
import { expect, it } from 'vitest';
import { inputText } from './input-text.ts';

it.each([
  ['ls -l\n\tü€😀', 'ls -l\n\tü€😀'],
  [[0x72, 0x6d, 0x20, 0xff, 0x0a], 'rm \\xff\n'],
  [[0xc3, 0xbc, 0xc3], 'ü\\xc3'],
  // An overlong slash, half of a surrogate pair, a truncated character, and control characters.
  [[0xc0, 0xaf], '\\xc0\\xaf'],
  [[0xed, 0xa0, 0x80], '\\xed\\xa0\\x80'],
  [[0xf0, 0x9f, 0x98, 0x41], '\\xf0\\x9f\\x98A'],
  [[0x1b, 0x9b, 0x41], '\\x1b\\x9bA'],
  // Typed text that looks like an escape, and text that does not.
  ['rm \\xff \\x0d', 'rm \\x5cxff \\x5cx0d'],
  ['\\u202e \\u{e0041}', '\\x5cu202e \\x5cu{e0041}'],
  ['C:\\x \\n \\\\', 'C:\\x \\n \\\\'],
  [[0x5c, 0xff], '\\\\xff'],
  ['\\\\xff', '\\\\x5cxff'],
])('inputText of %j is %j', (input, text) => {
  expect(inputText(typeof input === 'string' ? Buffer.from(input) : Buffer.from(input))).toBe(text);
});

it('[AP12] inputText shows different bytes differently', () => {
  const texts = Array.from({ length: 256 }, (_, byte) => inputText(Buffer.from([0x61, byte, 0x62])));
  expect(new Set(texts).size).toBe(256);
});

it('inputText reads each of 8000 bytes only a few times, even if they are not UTF-8', () => {
  expect(inputText(Buffer.alloc(8000, 0xff))).toHaveLength(32_000);
});
