// stderr is told apart without breaking what is printed.
import { describe, expect, it } from 'vitest';
import { StreamTint } from './stream-tint.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const written = (tint: StreamTint, stream: 'stdout' | 'stderr', text: string): string =>
  new TextDecoder().decode(Buffer.concat(tint.tinted(stream, bytes(text))));

it('changes colour when the stream changes, and only then', () => {
  const tint = new StreamTint();
  expect(written(tint, 'stdout', 'a')).toBe('a');
  expect(written(tint, 'stderr', 'b')).toBe('\u001b[31mb');
  expect(written(tint, 'stderr', 'c')).toBe('c');
  expect(written(tint, 'stdout', 'd')).toBe('\u001b[39md');
});

it.each(['\u001b', '\u001b[1', '\u001b]0;title', '\u001b]0;title\u001b', '\u001bP$q', '\u001b('])(
  'waits for the end of a sequence cut at %j',
  (cut) => {
    const tint = new StreamTint();
    tint.tinted('stdout', bytes(`x${cut}`));
    expect(written(tint, 'stderr', 'y')).toBe('y');
  },
);

it('waits for the end of a character', () => {
  const tint = new StreamTint();
  tint.tinted('stdout', bytes('☃').subarray(0, 2));
  expect(written(tint, 'stderr', '')).toBe('');
  tint.tinted('stdout', bytes('☃').subarray(2));
  expect(written(tint, 'stderr', 'x')).toBe('\u001b[31mx');
});

it('goes on after finished sequences', () => {
  const tint = new StreamTint();
  tint.tinted('stdout', bytes('\u001b[1mbold\u001b[0m\u001b]0;t\u0007\u001b]8;;u\u001b\\☃'));
  expect(written(tint, 'stderr', 'x')).toBe('\u001b[31mx');
});

describe('stderr that goes back to the usual colour', () => {
  const RED = '\u001b[31m';
  it.each(['', '0', '39', '1;0', '32;39', '38;5;9;0', '0;48;5;39;1', '38:5:9;39'])(
    'is red again after %j',
    (params) => {
      const tint = new StreamTint();
      tint.tinted('stderr', bytes('x'));
      expect(written(tint, 'stderr', `a\u001b[${params}mb`)).toBe(`a\u001b[${params}m${RED}b`);
    },
  );

  it.each(['1', '0;32', '32', '39;91', '38;5;0', '38;2;0;0;39', '48;5;39', '48:5:0', '?0', '>4;0'])(
    'keeps what %j says',
    (params) => {
      const tint = new StreamTint();
      tint.tinted('stderr', bytes('x'));
      expect(written(tint, 'stderr', `a\u001b[${params}mb`)).toBe(`a\u001b[${params}mb`);
    },
  );

  it('is red again wherever the sequence is cut; stdout never is', () => {
    const tint = new StreamTint();
    written(tint, 'stderr', 'x\u001b[');
    expect(written(tint, 'stderr', '0')).toBe('0');
    expect(written(tint, 'stderr', 'mb\u001b[m')).toBe(`m${RED}b\u001b[m${RED}`);
    expect(written(tint, 'stdout', 'y\u001b[0mz')).toBe('\u001b[39my\u001b[0mz');
  });
});
