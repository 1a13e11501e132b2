// What was done to a process is marked once, where it happened, and not where nobody knows.
import { expect, it } from 'vitest';
import type { Act } from '../../server/protocol/console.ts';
import { ActMarks } from './act-marks.ts';

const act = (how: Act['how'], atMs: number): Act => ({ who: 'Ada', how, atMs });
const told = (
  acts: readonly Act[],
  allEndedAtMs: number | null = null,
  escaped = [] as { pid: number }[],
) => ({
  acts,
  allEndedAtMs,
  escaped: escaped.map(({ pid }) => ({ pid, name: 'sleep' })),
});

it('marks what comes while the pane is open, once each, and nothing from before', () => {
  const marks = new ActMarks(told([act('suspend', 1)]), 'c1');
  const acts = [act('suspend', 1), act('resume', 2), act('interrupt', 2)];
  expect(marks.news(told(acts), 'c1')).toEqual(['resumed by Ada', 'interrupted by Ada']);
  expect(marks.news(told(acts), 'c1')).toEqual([]);
  expect(marks.news(told([...acts, act('terminate', 3)].slice(1)), 'c1')).toEqual(['terminated by Ada']);
});

it('leaves out what was done while the page was away', () => {
  const marks = new ActMarks(told([]), 'c1');
  expect(marks.news(told([act('interrupt', 1)], 5), 'c2')).toEqual([]);
  expect(marks.news(told([act('interrupt', 1), act('kill', 2)], 5), 'c2')).toEqual(['killed by Ada']);
});

it('ends with the proof, or with who got away', () => {
  const marks = new ActMarks(told([]), 'c1');
  const acts = [act('terminate', 1)];
  expect(marks.news(told(acts, 2, [{ pid: 9 }]), 'c1')).toEqual([
    'terminated by Ada',
    'ended, but for sleep (9)',
  ]);
  expect(marks.news(told(acts, null), 'c1')).toEqual([]);
  expect(marks.news(told(acts, 3), 'c1')).toEqual(['all of it ended']);
});
