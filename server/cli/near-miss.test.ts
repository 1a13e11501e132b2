// Suggestions for mistyped words.
import { expect, it } from 'vitest';
import { suggestion } from './near-miss.ts';

const OPTIONS = ['--all', '--json', '--label', '--session', '--state-dir', '--url'];

it.each([
  ['--al', '--all'],
  ['--jsno', '--json'],
  ['--lable', '--label'],
  ['--sess', '--session'],
  ['--state-dri', '--state-dir'],
  ['--statedir', '--state-dir'],
])('the suggestion for %s is %s', (typed, meant) => {
  expect(suggestion(typed, OPTIONS)).toBe(`; did you mean ${meant}?`);
});

it.each(['--colour', '-x', '--s', '--', ''])('there is no suggestion for “%s”', (typed) => {
  expect(suggestion(typed, OPTIONS)).toBe('');
});

it('there is no suggestion when two candidates are equally similar', () => {
  expect(suggestion('--xat', ['--cat', '--hat'])).toBe('');
});
