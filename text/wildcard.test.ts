// Results of pattern matching, and a limit on its time.
import { expect, it } from 'vitest';
import { matchesWildcard } from './wildcard.ts';

it.each([
  ['PATH', 'PATH', true],
  ['PATH', 'path', false],
  ['P?TH', 'PATH', true],
  ['P?TH', 'PTH', false],
  ['*', '', true],
  ['', '', true],
  ['', 'A', false],
  ['?', '', false],
  ['**A**', 'BAB', true],
  ['*KEY*', 'API_KEY_2', true],
  ['A*B*C', 'AxBxBxC', true],
  ['A*B*C', 'AxBxBxCx', false],
  ['*AB', 'AAB', true],
  ['A.B', 'AxB', false],
  ['A\nB', 'A\nB', true],
  ['a*b', 'a\nb', true],
  ['[AB]', '[AB]', true],
])('matchesWildcard(%j, %j) is %s', (pattern, name, expected) => {
  expect(matchesWildcard(pattern, name)).toBe(expected);
});

// These patterns would practically never finish as regular expressions.
it('[LI13] matchesWildcard returns quickly for patterns with many stars', () => {
  expect(matchesWildcard(`${'*a'.repeat(14)}*b`, 'a'.repeat(60))).toBe(false);
  expect(matchesWildcard(`${'*a'.repeat(400)}*b`, 'a'.repeat(1000))).toBe(false);
});
