// The last line that says anything: rule CO7.
import { describe, expect, it } from 'vitest';
import { lastLine } from './last-line.ts';

describe('lastLine', () => {
  it.each([
    ['', null],
    ['\n \r\n\n', null],
    ['one\ntwo', 'two'],
    ['one\r\ntwo\r\n\r\n', 'two'],
    ['\u001b[32m✓ passed\u001b[0m\u001b[K\n', '✓ passed'],
    ['\r 10 %\r 50 %\r100 %\r', '100 %'],
    ['$ make\u001b]0;title\u0007\u001b]8;;http://x\u001b\\\n', '$ make'],
    ['done\n\u001b]0;a title without an end', 'done'],
    ['done\n\u001b[38;5', 'done'],
    ['\u001b(B\u001b7a\u0008b\tc', 'ab c'],
    ['é'.repeat(300), 'é'.repeat(200)],
  ])('[CO7] of %j is %j', (text, line) => {
    expect(lastLine(Buffer.from(text))).toBe(line);
  });
});
