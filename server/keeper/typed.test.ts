// Count of typed lines per writer.
import { describe, expect, it } from 'vitest';
import { TypedLines } from './typed.ts';

const ann = { session: 'console', who: 'ann' };
const after = (...texts: readonly string[]) => {
  const typed = new TypedLines();
  for (const text of texts) typed.add(ann, Buffer.from(text));
  return typed.all.map(({ lines }) => lines);
};

describe('TypedLines', () => {
  it('counts line ends from a terminal and from a pipe', () => {
    expect(after('ls\r')).toEqual([1]);
    expect(after('y', '\n', 'a\nb\n')).toEqual([3]);
  });

  it('ignores keys without a line end, and answers of the terminal', () => {
    expect(after('y')).toEqual([]);
    expect(after('\u001b[?62;c', '\u001b[A', '\u001b]11;rgb:0/0/0\u001b\\')).toEqual([]);
  });

  it('retains the counts of the twenty most recent writers', () => {
    const typed = new TypedLines();
    for (let at = 0; at < 30; at += 1) typed.add({ session: `s-${at}`, who: 'ann' }, Buffer.from('a\n'));
    typed.add({ session: 's-15', who: 'ann' }, Buffer.from('a\n'));
    expect(typed.all).toHaveLength(20);
    expect(typed.all.at(-1)).toEqual({ session: 's-15', who: 'ann', lines: 2 });
  });
});
