// Actions on a process are marked once, at the place in the output where they happened.
import { expect, it } from 'vitest';
import type { PlacedAct } from '../../../protocol/console.ts';
import type { ConnectionState } from '../../../client/connection-state.ts';
import { ActMarks } from './act-marks.ts';
import type { DueDivider } from './due-dividers.ts';

const act = (how: PlacedAct['how'], atMs: number): PlacedAct => ({
  who: 'Ada',
  how,
  atMs,
  afterSeq: 10 * atMs,
});
const now = (text: string, afterSeq: number): DueDivider => ({ text, afterSeq, isPast: false });
const past = (text: string, afterSeq: number): DueDivider => ({ text, afterSeq, isPast: true });

function makeMarks() {
  let due: DueDivider[] = [];
  const marks = new ActMarks({ add: (divider) => due.push(divider) });
  /** Returns the markers added for the info; `connection` is null while the page is offline. */
  return (
    connection: string | null,
    acts: readonly PlacedAct[],
    allEndedAtMs: number | null = null,
    escaped: readonly { pid: number; name: string }[] = [],
    outputHeld = false,
  ): readonly DueDivider[] => {
    due = [];
    const state = connection === null ? { kind: 'waiting' } : { kind: 'online', connection };
    marks.update({ acts, allEndedAtMs, escaped, outputHeld }, state as ConnectionState);
    return due;
  };
}

it('ActMarks adds a marker once for each act, whether it happened before or after the pane was opened', () => {
  const markersFor = makeMarks();
  expect(markersFor('c1', [act('suspend', 1)])).toEqual([past('suspended by Ada', 10)]);
  const acts = [act('suspend', 1), act('resume', 2), act('interrupt', 2)];
  expect(markersFor('c1', acts)).toEqual([now('resumed by Ada', 20), now('interrupted by Ada', 20)]);
  expect(markersFor('c1', acts)).toEqual([]);
  expect(markersFor('c1', [...acts, act('terminate', 3)].slice(1))).toEqual([now('terminated by Ada', 30)]);
});

it('ActMarks marks acts during an outage as past, and later ones as new', () => {
  const markersFor = makeMarks();
  markersFor('c1', []);
  expect(markersFor('c2', [act('interrupt', 1)])).toEqual([past('interrupted by Ada', 10)]);
  expect(markersFor('c2', [act('interrupt', 1), act('kill', 2)])).toEqual([now('killed by Ada', 20)]);
});

it('ActMarks treats acts known when the pane opens without a connection as past', () => {
  const markersFor = makeMarks();
  expect(markersFor(null, [act('interrupt', 1)])).toEqual([past('interrupted by Ada', 10)]);
  expect(markersFor('c1', [act('interrupt', 1), act('kill', 2)])).toEqual([past('killed by Ada', 20)]);
});

it('the last marker states that everything ended, or names survivors', () => {
  const markersFor = makeMarks();
  markersFor('c1', []);
  const acts = [act('terminate', 1)];
  expect(markersFor('c1', acts, 2, [{ pid: 9, name: 'sleep' }])).toEqual([
    now('terminated by Ada', 10),
    now('ended; still running: sleep (9)', 10),
  ]);
  expect(markersFor('c1', acts)).toEqual([]);
  expect(markersFor('c1', acts, 3)).toEqual([now('everything ended', 10)]);
  expect(markersFor('c1', acts, 4, [], true)).toEqual([now('ended, but its output pipe is still open', 10)]);
});

it('a process end confirmed earlier is marked after all output', () => {
  const markersFor = makeMarks();
  expect(markersFor('c1', [act('terminate', 1)], 2)).toEqual([
    past('terminated by Ada', 10),
    past('everything ended', Number.POSITIVE_INFINITY),
  ]);
});
