// Matches of a pattern, and the time they take at most.
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
])('%j and %j: %s', (pattern, name, expected) => {
  expect(matchesWildcard(pattern, name)).toBe(expected);
});

// This as a regular expression would take more steps than a life has seconds.
it('[LI13] ends with whatever pattern', () => {
  expect(matchesWildcard(`${'*a'.repeat(14)}*b`, 'a'.repeat(60))).toBe(false);
  expect(matchesWildcard(`${'*a'.repeat(400)}*b`, 'a'.repeat(1000))).toBe(false);
});
