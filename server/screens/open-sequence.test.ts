// Tests of the places at which output may be split: rule SN2.
import { describe, expect, it } from 'vitest';
import { completeLength } from './open-sequence.ts';

describe('completeLength', () => {
  it.each([
    ['', ''],
    ['plai', 'n'],
    ['line\r\n', ''],
    ['a\u001b[31m', ''],
    ['a\u001b[31m', 'b'],
    ['', 'a\u001b'],
    ['', 'a\u001b['],
    ['', 'a\u001b[38;5'],
    ['\u001b[1m', 'e\u0301\u001b[1'],
    ['a\r\n', '\u001b[38;5'],
    ['a\u001b[1m', '\u001b[38;5'],
    ['a', '\u001b[?1049'],
    ['a', '\u001b('],
    ['a\u001b(B', ''],
    ['a\u001b7', ''],
    ['a', '\u001b]0;title'],
    ['a', '\u001b]0;title\u001b'],
    ['a\u001b]0;title\u001b\\', ''],
    ['a\u001b]0;title\u0007', ''],
    ['a', '\u001bPq#0;2'],
    ['a', '\u001bPq\u0007#0;2'],
    ['a\u001bPq#0\u0018', ''],
    ['a\u001b[3\u0018', 'b'],
    ['\u001b[1m\u001b]0;x\u0007', 'b\u001b'],
    ['a\u001b', 'é'],
    ['', 'x\u200b'],
    ['x\t', ''],
    ['x\b', ''],
    ['family: ', '👩\u200d👩\u200d'],
    ['e', 'e\u0301'],
  ])('includes only the first of %j and %j', (complete, open) => {
    expect(completeLength(Buffer.from(complete + open))).toBe(Buffer.byteLength(complete));
  });

  it.each(['é', '€', '😀'])('never splits %s', (char) => {
    const bytes = Buffer.from(`x${char}`);
    for (let length = 2; length <= bytes.length; length += 1) {
      expect(completeLength(bytes.subarray(0, length))).toBeLessThanOrEqual(1);
    }
  });
});
