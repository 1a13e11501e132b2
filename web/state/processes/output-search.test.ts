// Search hits by process, cut so that the match is visible.
import { expect, it } from 'vitest';
import type { SearchHit } from '../../../protocol/looks.ts';
import { byProcess, foundText, hitText } from './output-search.ts';

const hit = (key: string, given: Partial<SearchHit> = {}): SearchHit => ({
  key,
  offset: 0,
  text: 'one two three',
  start: 4,
  end: 7,
  ...given,
});

it('byProcess groups the hits of each process', () => {
  const hits = [hit('a'), hit('b'), hit('a', { offset: 9 })];
  expect(byProcess(hits).map(({ key, hits: ofIt }) => [key, ofIt.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

it.each([
  [{}, ['one ', 'two', ' three']],
  [{ text: '   x  ', start: 3, end: 4 }, ['', 'x', '']],
  [{ text: `${'a'.repeat(60)}!`, start: 60, end: 61 }, [`…${'a'.repeat(40)}`, '!', '']],
  [{ text: `${'\u{1f389}'.repeat(21)}x!`, start: 43, end: 44 }, [`…${'\u{1f389}'.repeat(20)}x`, '!', '']],
  [{ text: 'a\u202eb', start: 0, end: 3 }, ['', 'a\\u202eb', '']],
  [{ text: 'empty', start: 2, end: 2 }, ['em', '', 'pty']],
])('hitText cuts %j around the match', (given, [before, match, after]) => {
  expect(hitText(hit('a', given))).toEqual({ before, match, after });
});

it.each([
  [[], true, 'No results'],
  [[hit('a')], true, '1 line in 1 process'],
  [[hit('a'), hit('b'), hit('b')], false, '3 lines in 2 processes; there may be more'],
] as const)('foundText counts %j', (hits, isComplete, text) =>
  expect(foundText(hits, isComplete)).toBe(text),
);
