// Typed variables are accepted unchanged, or rejected by line number without showing the value.
import { expect, it, test } from 'vitest';
import { parseVariables, variableNames } from './variables.ts';

const TOO_LONG = 'Line 1: the value of A is too long: Linux accepts at most 131,071 bytes of NAME=value.';

it('parseVariables leaves values unchanged, and ignores blank lines and comments', () => {
  const text = 'A=1\r\n\n# a comment\nexport B_2=x=y "z"  \n  C=\n';
  expect(parseVariables(text)).toEqual({
    variables: { A: '1', B_2: 'x=y "z"  ', C: '' },
    problems: [],
  });
  expect(variableNames(text)).toEqual(['A', 'B_2', 'C']);
});

test.each([
  ['A=1\njust words', 'Line 2: there is no “=” between a name and a value.'],
  ['=value', 'Line 1: there is no name before the “=”.'],
  [
    '2A=secret',
    'Line 1: the name may contain only letters, digits and “_”, and must not start with a digit.',
  ],
  [
    'A-B=secret',
    'Line 1: the name may contain only letters, digits and “_”, and must not start with a digit.',
  ],
  ['A=1\nA=secret', 'Line 2: A is set twice.'],
  // Linux accepts 131,072 bytes with the name, the `=` and the final NUL.
  [`A=${'x'.repeat(131_070)}`, TOO_LONG],
  [`A=${'€'.repeat(43_690)}`, TOO_LONG],
  ['A=x\0y', 'Line 1: the value of A contains a NUL character.'],
])('parseVariables reports the problem in %j without the value', (text, problem) => {
  const { problems } = parseVariables(text);
  expect(problems).toEqual([problem]);
  expect(problems.join('')).not.toContain('secret');
});

it('parseVariables accepts names of built-in object properties', () => {
  expect(parseVariables('__proto__=1\nconstructor=2').variables).toHaveProperty('constructor', '2');
});
