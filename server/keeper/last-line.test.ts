// The last line that is not blank: rule CO7.
import { describe, expect, it } from 'vitest';
import { lastLine, LAST_LINE_BYTES, LastOutput } from './last-line.ts';

function lastLineOf(output: string, pieceBytes: number): string | null {
  const bytes = Buffer.from(output);
  const last = new LastOutput();
  for (let at = 0; at < bytes.length; at += pieceBytes) last.take(bytes.subarray(at, at + pieceBytes));
  const { end } = last;
  return lastLine(bytes.subarray(bytes.length - end.bytes), end);
}

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
    ['é'.repeat(300), `${'é'.repeat(200)}…`],
  ])('[CO7] reduces %j to the line %j', (text, line) => {
    expect(lastLineOf(text, 100)).toBe(line);
  });

  it.each([
    ['an editor that has exited', '$ vi\r\n\u001b[?1049htext\u001b[24;1H:q\u001b[?1049l$ ', '$'],
    ['an editor that has printed lines', '$ vi\r\n\u001b[?47htext\r\n~\u001b[?47l', '$ vi'],
    [
      'an end of the alternate screen among other modes',
      'one\n\u001b[?1049htext\n\u001b[?1049;25l\u001b[?1lthree',
      'three',
    ],
    ['nothing before it', '\u001b[?25;1047htext\u001b[?1047l', null],
    ['a beginning that is too far back to be read', `${'text\n'.repeat(5000)}\u001b[?1049l`, null],
    ['an end without a beginning', 'one\n\u001b[?1049l', 'one'],
    ['only other modes', 'one\n\u001b[?1h\u001b[?1l', 'one'],
  ])('[CO7] ignores the alternate screen, with %s', (_what, text, line) => {
    expect(lastLineOf(text, 100)).toBe(line);
  });

  describe.each([1, 100, 3000, 65_536, 10_000_000])('from pieces of %d bytes', (pieceBytes) => {
    it.each([
      ['an image of iTerm2', '\u001b]1337;File=inline=1:', '\u0007'],
      ['an image of iTerm2 that ST ends', '\u001b]1337;File=inline=1:', '\u001b\\'],
      ['a sixel image with a bell in it', '\u001bPq\u0007', '\u001b\\'],
      ['an image of kitty', '\u001b_Gf=32;', '\u001b\\'],
      ['a string that is aborted', '\u001b]52;c;', '\u0018'],
    ])('[CO7] ignores the content of %s', (_what, opener, end) => {
      const inside = `${'Q'.repeat(30_000)}\n${'Q'.repeat(3000)}`;
      expect(lastLineOf(`before\n${opener}${inside}${end}`, pieceBytes)).toBe(null);
      expect(lastLineOf(`before\n${opener}${inside}`, pieceBytes)).toBe(null);
      expect(lastLineOf(`before\n${opener}${inside}${end}done\n`, pieceBytes)).toBe('done');
      expect(lastLineOf(`${opener}${inside}${end}done\n${'\u001b[m'.repeat(1000)}`, pieceBytes)).toBe('done');
    });

    it('[CO7] needs only the end of a long output, and all of a short one', () => {
      const last = new LastOutput();
      const bytes = Buffer.alloc(100_000, 'x');
      // Minima and maxima are checked once, since an expectation per byte would be slow.
      let [least, most, whole] = [Infinity, 0, true];
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        last.take(bytes.subarray(at, at + pieceBytes));
        const printed = Math.min(bytes.length, at + pieceBytes);
        least = Math.min(least, last.end.bytes - Math.min(printed, LAST_LINE_BYTES));
        most = Math.max(most, last.end.bytes);
        whole &&= last.end.isWhole === (last.end.bytes === printed);
      }
      expect(least).toBeGreaterThanOrEqual(0);
      expect(most).toBeLessThan(4 * LAST_LINE_BYTES);
      expect(whole).toBe(true);
    });
  });
});
