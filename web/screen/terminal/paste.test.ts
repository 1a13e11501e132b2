// Pasted text: removed control characters, the number of lines, and the joined lines.
import { describe, expect, it } from 'vitest';
import { asOneLine, lineCount, safePaste } from './paste.ts';

it('safePaste removes control characters and keeps text', () => {
  expect(safePaste('a\u001b[201~b\u0003\u0007\u009b1mc\td\r\ne\u007fö')).toBe('a[201~b1mc\td\r\neö');
});

describe('lineCount', () => {
  it.each([
    ['one', 1],
    ['one\n', 1],
    ['one\r\ntwo', 2],
    ['one\rtwo\r', 2],
    ['\n\n', 2],
    ['', 0],
  ])('(%j) is %j', (text, lines) => {
    expect(lineCount(text)).toBe(lines);
  });
});

it('asOneLine joins several lines into one', () => {
  expect(asOneLine('  git add .\r\n\ngit commit  \n')).toBe('git add . git commit');
});
