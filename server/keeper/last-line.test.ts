// The last line that says anything: rule CO7.
import { describe, expect, it } from 'vitest';
import { lastLine, LAST_LINE_BYTES } from './last-line.ts';

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
    ['\u001b(B\u001b7a\u0001b\tc', 'ab c'],
    ['é'.repeat(300), 'é'.repeat(200)],
  ])('[CO7] of %j is %j', (text, line) => {
    expect(lastLine(Buffer.from(text))).toBe(line);
  });

  it.each([
    ['an editor that was left', '$ vi\r\n\u001b[?1049htext\u001b[24;1H:q\u001b[?1049l$ ', '$'],
    ['one that printed lines', '$ vi\r\n\u001b[?47htext\r\n~\u001b[?47l', '$ vi'],
    ['one that left among other modes', 'one\n\u001b[?1049htext\n\u001b[?1049;25l\u001b[?1lthree', 'three'],
    ['nothing before it', '\u001b[?25;1047htext\u001b[?1047l', null],
    ['a beginning that is not looked at', `${'text\n'.repeat(1000)}\u001b[?1049l`, null],
    ['no alternate screen that was left', 'one\n\u001b[?1049l', 'one'],
    ['other modes', 'one\n\u001b[?1h\u001b[?1l', 'one'],
  ])('[CO7] sees nothing of the alternate screen, with %s', (_what, text, line) => {
    expect(lastLine(Buffer.from(text).subarray(-LAST_LINE_BYTES))).toBe(line);
  });
});
