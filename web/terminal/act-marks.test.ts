// What was done to a process is marked once, where it happened, and not where nobody knows.
import { expect, it } from 'vitest';
import type { PlacedAct } from '../../server/protocol/console.ts';
import { ActMarks } from './act-marks.ts';
import type { DueDivider } from './due-dividers.ts';

const act = (how: PlacedAct['how'], atMs: number): PlacedAct => ({
  who: 'Ada',
  how,
  atMs,
  afterSeq: 10 * atMs,
});
const said = (text: string, afterSeq: number): DueDivider => ({ text, afterSeq });
const told = (
  acts: readonly PlacedAct[],
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
  expect(marks.news(told(acts), 'c1')).toEqual([said('resumed by Ada', 20), said('interrupted by Ada', 20)]);
  expect(marks.news(told(acts), 'c1')).toEqual([]);
  expect(marks.news(told([...acts, act('terminate', 3)].slice(1)), 'c1')).toEqual([
    said('terminated by Ada', 30),
  ]);
});

it('leaves out what was done while the page was away', () => {
  const marks = new ActMarks(told([]), 'c1');
  expect(marks.news(told([act('interrupt', 1)], 5), 'c2')).toEqual([]);
  expect(marks.news(told([act('interrupt', 1), act('kill', 2)], 5), 'c2')).toEqual([
    said('killed by Ada', 20),
  ]);
});

it('ends with the proof, or with who got away', () => {
  const marks = new ActMarks(told([]), 'c1');
  const acts = [act('terminate', 1)];
  expect(marks.news(told(acts, 2, [{ pid: 9 }]), 'c1')).toEqual([
    said('terminated by Ada', 10),
    said('ended, but for sleep (9)', 10),
  ]);
  expect(marks.news(told(acts, null), 'c1')).toEqual([]);
  expect(marks.news(told(acts, 3), 'c1')).toEqual([said('all of it ended', 10)]);
});
