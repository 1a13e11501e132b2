// Tests of the line-by-line difference between two texts.
import { expect, it } from 'vitest';
import { lineDiff } from './line-diff.ts';

const UNENDED = '\\ No newline at end of file';

it.each([
  ['no lines for equal texts', 'a\nb', 'a\nb', []],
  ['an added text', '', 'a\n\nb\n', ['+ a', '+ ', '+ b']],
  ['a removed text', 'a\n', '', ['- a']],
  ['a changed line between others', 'a\nb\nc\n', 'a\nB\nc\n', ['  a', '- b', '+ B', '  c']],
  ['… for omitted lines', '1\n2\n3\n4\n5\nz\n', '0\n1\n2\n3\n4\n5\nz\n', ['+ 0', '  1', '  2', '  3', '  …']],
  ['an added final newline', 'a\nb', 'a\nb\n', ['  a', '- b', UNENDED, '+ b']],
  ['a removed final newline', 'a\nb\n', 'a\nb', ['  a', '- b', '+ b', UNENDED]],
  ['a newline that is the only text', '', '\n', ['+ ']],
  [
    'final newlines of long texts',
    'a\n'.repeat(3001),
    'b',
    [...Array<string>(3001).fill('- a'), '+ b', UNENDED],
  ],
])('lineDiff shows %s', (_, before, after, diff) => {
  expect(lineDiff(before, after)).toEqual(diff);
});
