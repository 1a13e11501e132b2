// Lines that were typed: which input counts as one, and for whom.
import { describe, expect, it } from 'vitest';
import { TypedLines } from './typed.ts';

const ann = { session: 'console', who: 'ann' };
const after = (...texts: readonly string[]) => {
  const typed = new TypedLines();
  for (const text of texts) typed.add(ann, Buffer.from(text));
  return typed.all.map(({ lines }) => lines);
};

describe('typed lines', () => {
  it('are counted by their ends, of a terminal and of a pipe', () => {
    expect(after('ls\r')).toEqual([1]);
    expect(after('y', '\n', 'a\nb\n')).toEqual([3]);
  });

  it('are none of keys without an end, and of what a terminal answers', () => {
    expect(after('y')).toEqual([]);
    expect(after('\u001b[?62;c', '\u001b[A', '\u001b]11;rgb:0/0/0\u001b\\')).toEqual([]);
  });

  it('are kept of each writer, and of the last twenty of them', () => {
    const typed = new TypedLines();
    for (let at = 0; at < 30; at += 1) typed.add({ session: `s-${at}`, who: 'ann' }, Buffer.from('a\n'));
    typed.add({ session: 's-15', who: 'ann' }, Buffer.from('a\n'));
    expect(typed.all).toHaveLength(20);
    expect(typed.all.at(-1)).toEqual({ session: 's-15', who: 'ann', lines: 2 });
  });
});
