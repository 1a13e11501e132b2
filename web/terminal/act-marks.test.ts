// What was done to a process is marked once, where it happened, and not where nobody knows.
import { expect, it } from 'vitest';
import type { Act } from '../../server/protocol/console.ts';
import { ActMarks } from './act-marks.ts';

const act = (how: Act['how'], atMs: number): Act => ({ who: 'Ada', how, atMs });

it('marks what comes while the pane is open, once each, and nothing from before', () => {
  const marks = new ActMarks([act('suspend', 1)], 'c1');
  const acts = [act('suspend', 1), act('resume', 2), act('interrupt', 2)];
  expect(marks.news(acts, 'c1')).toEqual(acts.slice(1));
  expect(marks.news(acts, 'c1')).toEqual([]);
  expect(marks.news([...acts, act('terminate', 3)].slice(1), 'c1')).toEqual([act('terminate', 3)]);
});

it('leaves out what was done while the page was away', () => {
  const marks = new ActMarks([], 'c1');
  expect(marks.news([act('interrupt', 1)], 'c2')).toEqual([]);
  expect(marks.news([act('interrupt', 1), act('kill', 2)], 'c2')).toEqual([act('kill', 2)]);
});
