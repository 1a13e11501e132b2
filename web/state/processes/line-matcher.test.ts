// Matches in a line; no expression takes more time than the length of the line justifies.
import { beforeAll, describe, expect, it } from 'vitest';
import { expressionProblem, lineMatcher, loadExpressions } from './line-matcher.ts';

beforeAll(loadExpressions);

const found = (line: string, text: string, isRegex = false, isCaseSensitive = false): string[] =>
  (lineMatcher({ text, isRegex, isCaseSensitive })?.(line) ?? []).map(({ start, end }) =>
    line.slice(start, end),
  );

describe('A line', () => {
  it.each([
    ['a.b axb', 'a.b', false, ['a.b']],
    ['a.b axb', 'a.b', true, ['a.b', 'axb']],
    ['\u{1f389} Err \u{1f389} err', 'err', false, ['Err', 'err']],
    ['\u{1f389} Err \u{1f389} err', 'e\\w+', true, ['Err', 'err']],
    ['[x](y) $1 \\ -/', '[x](y) $1 \\ -/', false, ['[x](y) $1 \\ -/']],
    ['abc', 'x*', true, []],
    ['abc', '', false, []],
  ])('%j matches %j (expression: %j) at %j', (line, text, isRegex, matches) => {
    expect(found(line, text, isRegex)).toEqual(matches);
  });

  it('matches case-sensitively on request', () => {
    expect(found('Error error', 'error', false, true)).toEqual(['error']);
    expect(found('Error error', 'e.*r', true, true)).toEqual(['error']);
  });
});

// Each of these would take practically forever in a backtracking engine, so the test would never finish.
it.each(['(a+)+$b', '(a|a)*b', '(?:a?){50}a{50}x', '(.*a){20}x'])(
  'the expression %s finishes on a long line',
  (text) => {
    expect(found('a'.repeat(8192), text, true)).toEqual([]);
  },
);

it.each([
  ['a+', null],
  ['', null],
  ['(', 'Invalid expression'],
  ['(?=a)', 'Unsupported expression'],
  ['(a)\\1', 'Unsupported expression'],
  ['a{1,1000}', 'Unsupported expression'],
])('the problem of the expression %j is %j', (text, problem) => {
  expect(expressionProblem(text)).toBe(problem);
});
