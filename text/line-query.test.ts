// Regular expressions for searches of lines.
import { expect, it } from 'vitest';
import { expressionOf } from './line-query.ts';

it('expressionOf finds plain text literally, ignoring case', () => {
  const expression = expressionOf({ text: 'a.(B/', isRegex: false, isCaseSensitive: false });
  expect(expression.test('xA.(b/')).toBe(true);
  expect(expression.test('aa(b/')).toBe(false);
});

it.each([
  ['(', '"(" is not a valid regular expression: unterminated group'],
  ['/x: (', '"/x: (" is not a valid regular expression: unterminated group'],
  ['[', '"[" is not a valid regular expression: unterminated character class'],
  ['+', '"+" is not a valid regular expression: nothing to repeat'],
])('[CL13] expressionOf reports why %j is not a valid expression', (text, message) => {
  expect(() => expressionOf({ text, isRegex: true, isCaseSensitive: true })).toThrow(message);
});
