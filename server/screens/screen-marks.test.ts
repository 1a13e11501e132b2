// Tests that a snapshot restores the combining marks in the cells of a screen: rule SN1.
import { it } from 'vitest';
import { expectSame, SIZE } from '../testing/same-screen.ts';

it.each([
  'o\u001b[m\ufe0f\u093eX',
  'o\u001b[m\u0301\u093eX',
  '❤\u001b[m\ufe0fX',
  'a\u001b[31m\u200d\u093eX',
  '☺\u001b[1m\ufe0f',
  '\u1100\u200d\u1161\u093e',
  '\u1100\u0301\u1161\u093e\u0903',
  'a\u200d\u1161\u093e',
  `\u001b[?7l${'a'.repeat(SIZE.cols - 1)}b👩\u200d👩\u200d👧`,
  `\u001b[?7l${'a'.repeat(SIZE.cols - 1)}👩\u0301👩\u0301`,
  `\u001b[?7l${'a'.repeat(SIZE.cols - 2)}👩\u200d👩\ufe0f`,
])('[SN1] keeps combining marks in their cells, even after a sequence: %j', async (text) => {
  const bytes = Buffer.from(`${text}hello`);
  for (let cut = 0; cut <= bytes.length; cut += 1)
    await expectSame(bytes.subarray(0, cut), bytes.subarray(cut));
});
