// Tests of bells, prompts and failed commands found in the output of a terminal, however its bytes are split.
import { describe, expect, it } from 'vitest';
import { Signs, type Sign } from './signs.ts';

function signsOf(pieces: readonly string[]): Sign[] {
  const found: Sign[] = [];
  const signs = new Signs((sign) => found.push(sign));
  for (const piece of pieces) signs.take(Buffer.from(piece, 'latin1'));
  return found;
}

describe('Signs', () => {
  it('finds bells, except those that end a title', () => {
    expect(signsOf(['a\u0007b\u001b]0;title\u0007c\u0007'])).toEqual([{ kind: 'bell' }, { kind: 'bell' }]);
  });

  it('finds prompts and failed commands, ended by a bell or a string terminator', () => {
    const text = '\u001b]133;A\u001b\\$ \u001b]133;D;0\u0007\u001b]133;D;127\u0007\u001b]133;A;x=y\u0007';
    expect(signsOf([text])).toEqual([
      { kind: 'prompt' },
      { kind: 'error', exitCode: 127 },
      { kind: 'prompt' },
    ]);
  });

  it('finds the same signs wherever the bytes are split', () => {
    const text =
      'x\u001b[31m\u0007\u001b]133;A\u001b\\y\u001bP1;2q\u0007#\u001b\\\u0007\u001b]133;D;2\u001b\\';
    const whole = signsOf([text]);
    expect(whole.map(({ kind }) => kind)).toEqual(['bell', 'prompt', 'bell', 'error']);
    for (let cut = 1; cut < text.length; cut += 1)
      expect(signsOf([text.slice(0, cut), text.slice(cut)])).toEqual(whole);
    expect(signsOf(text.split(''))).toEqual(whole);
  });

  it('treats a string that never ends as text', () => {
    expect(signsOf(['\u001b]', 'x'.repeat(100_000), '\u0007'])).toEqual([{ kind: 'bell' }]);
  });
});
