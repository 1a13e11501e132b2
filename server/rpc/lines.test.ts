// Tests of splitting bytes into lines, however they arrive.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lines } from './lines.ts';

function read(limitBytes: number, chunks: readonly Buffer[]): string[] {
  const reported: string[] = [];
  const lines = new Lines(limitBytes, {
    onLine: (line) => reported.push(line.toString()),
    onTooLong: () => reported.push('(too long)'),
  });
  for (const chunk of chunks) lines.push(chunk);
  lines.end();
  return reported;
}

describe('Lines', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\nb', ['a', 'b']],
    ['\n\na\n', ['', '', 'a']],
    ['a\r\n', ['a\r']],
  ])('[ST1] reads %j', (text, expected) => {
    expect(read(100, [Buffer.from(text)])).toEqual(expected);
  });

  it('[ST3] reports a line that is too long once, and continues after it', () => {
    const text = `abc\nabcd\n${'x'.repeat(50)}\nabc\nabcdefgh`;
    expect(read(4, [Buffer.from(text)])).toEqual(['abc', '(too long)', '(too long)', 'abc', '(too long)']);
  });

  it('[ST3] reports a line that is too long before its end', () => {
    let reported = 0;
    const lines = new Lines(4, { onLine: () => {}, onTooLong: () => (reported += 1) });
    for (let i = 0; i < 10; i += 1) lines.push(Buffer.from('xx'));
    expect(reported).toBe(1);
  });

  it('[ST1] returns the same lines however the bytes are split', () => {
    const text = fc.stringMatching(/^[ab\n]{0,60}$/);
    fc.assert(
      fc.property(
        text,
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60, size: 'max' }),
        (all, sizes) => {
          const chunks: Buffer[] = [];
          let rest = Buffer.from(all);
          for (const size of sizes) {
            chunks.push(rest.subarray(0, size));
            rest = rest.subarray(size);
          }
          expect(read(5, [...chunks, rest])).toEqual(read(5, [Buffer.from(all)]));
        },
      ),
    );
  });
});
