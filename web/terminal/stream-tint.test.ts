// stderr is told apart without breaking what is printed.
import { expect, it } from 'vitest';
import { StreamTint } from './stream-tint.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (added: Uint8Array | null): string | null => added && new TextDecoder().decode(added);

it('changes colour when the stream changes, and only then', () => {
  const tint = new StreamTint();
  expect(text(tint.before('stdout', bytes('a')))).toBeNull();
  expect(text(tint.before('stderr', bytes('b')))).toBe('\u001b[31m');
  expect(text(tint.before('stderr', bytes('c')))).toBeNull();
  expect(text(tint.before('stdout', bytes('d')))).toBe('\u001b[39m');
});

it.each(['\u001b', '\u001b[1', '\u001b]0;title', '\u001b]0;title\u001b', '\u001bP$q', '\u001b('])(
  'waits for the end of a sequence cut at %j',
  (cut) => {
    const tint = new StreamTint();
    tint.before('stdout', bytes(`x${cut}`));
    expect(tint.before('stderr', bytes('y'))).toBeNull();
  },
);

it('waits for the end of a character', () => {
  const tint = new StreamTint();
  tint.before('stdout', bytes('☃').subarray(0, 2));
  expect(tint.before('stderr', bytes('x').subarray(0, 0))).toBeNull();
  tint.before('stdout', bytes('☃').subarray(2));
  expect(text(tint.before('stderr', bytes('x')))).toBe('\u001b[31m');
});

it('goes on after finished sequences', () => {
  const tint = new StreamTint();
  tint.before('stdout', bytes('\u001b[1mbold\u001b[0m\u001b]0;t\u0007\u001b]8;;u\u001b\\☃'));
  expect(text(tint.before('stderr', bytes('x')))).toBe('\u001b[31m');
});
