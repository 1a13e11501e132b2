// Lines in which a program moves back, as read by searches, tiles and the list.
import { expect, it } from 'vitest';
import { plainLine } from './plain-text.ts';
import { ERASED_LINES, OVERTYPED_LINES } from './testing/erased-lines.ts';

it.each([...ERASED_LINES, ...OVERTYPED_LINES])('plainLine reads %j as %j', (printed, left) => {
  expect(plainLine(printed)).toBe(left.replaceAll('\t', ' '));
});

it('plainLine omits colours, titles and links in an edited line too', () => {
  expect(
    plainLine('\u001b]0;title\u0007\u001b[31mabc\u001b[0m\r\u001b]8;;http://x\u001b\\X\u001b]8;;\u001b\\'),
  ).toBe('Xbc');
});

it('plainLine returns the whole text of a line with many edits', () => {
  expect(plainLine(`${'x'.repeat(8000)}\r${'\u001b[P\u001b[@'.repeat(8000)}`)).toHaveLength(8000);
});

it('plainLine limits the text that a program repeats', () => {
  expect(plainLine(`x${'\u001b[9999b'.repeat(100)}`).length).toBeLessThan(2000);
});

it('plainLine drops characters that are pushed past its limit, and wide ones whole', () => {
  const inserted = plainLine(`${'日'.repeat(4096)}\r\u001b[3@abc`);
  expect(inserted).toBe(`abc${'日'.repeat(4094)}`);
  expect(plainLine(`${'x'.repeat(8192)}\r\u001b[100@a`)).toBe(`a${' '.repeat(99)}${'x'.repeat(8092)}`);
  expect(plainLine(`${'x'.repeat(100)}\r\u001b[9999@a`)).toBe('a');
});
