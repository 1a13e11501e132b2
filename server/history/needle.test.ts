// Tests of the needle of a query: a part of each line that matches it.
import { expect, it } from 'vitest';
import { needleOf } from './needle.ts';

const of = (text: string, isRegex = true): string | null =>
  needleOf({ text, isRegex, isCaseSensitive: true });

it.each([
  ['Connection Refused', 'connection refused'],
  ['Größe 12345', 'e 12345'],
  ['✓', null],
  ['(a|b)', '(a|b)'],
])('The needle of the text %j is %j', (text, needle) => {
  expect(of(text, false)).toBe(needle);
});

it.each([
  ['ECONN\\w+', 'econn'],
  ['^error: .*timeout$', 'error: '],
  ['colou?r of it', 'r of it'],
  ['colou+r', 'colou'],
  ['ab*cd', 'cd'],
  ['abc{2,3}d', 'ab'],
  ['[xyz]abc[^d]', 'abc'],
  ['\\[error\\]', '[error]'],
  ['foo\\bbarbaz', 'barbaz'],
  ['a.', 'a'],
  ['one|two', null],
  ['(error)', null],
  ['\\u0041bc', null],
  ['\\d+', null],
])('The needle of the expression %j is %j', (text, needle) => {
  expect(of(text)).toBe(needle);
});

it('The needle contains the character that masks secrets, which masked text has too', () => {
  expect(needleOf({ text: 'ghp_****', isRegex: false, isCaseSensitive: true })).toBe('ghp_****');
});
