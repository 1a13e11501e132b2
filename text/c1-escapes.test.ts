// 8-bit controls (C1), rewritten as sequences that begin with ESC.
import { expect, it } from 'vitest';
import { bytesWithEscapes, withEscapes } from './c1-escapes.ts';

it.each([
  ['\u009b31mred\u009b\u009c', '\u001b[31mred\u001b[\u001b\\'],
  ['\u0090q\u0098s\u009dtitle\u009ep\u009fa', '\u001bPq\u001bXs\u001b]title\u001b^p\u001b_a'],
  ['\u0084 \u0085 \u008d é Â â\u0099 \u001b[m', '\u0084 \u0085 \u008d é Â â\u0099 \u001b[m'],
])('withEscapes rewrites %j as %j', (controls, escapes) => {
  expect(withEscapes(controls)).toBe(escapes);
  const bytes = Buffer.from(controls);
  expect(bytesWithEscapes(bytes).toString()).toBe(escapes);
  expect(bytes.toString()).toBe(controls);
});

it('bytesWithEscapes leaves an incomplete control unchanged', () => {
  const bytes = Buffer.from('a\u009b').subarray(0, 2);
  expect(bytesWithEscapes(bytes)).toBe(bytes);
});
