// Malformed data from the gateway is ignored.
import { expect, it } from 'vitest';
import { readChanged } from './wire.ts';

const printed = {
  key: 'p',
  lastOutputAtMs: 5,
  lastInput: { session: 's', who: 'Ada', atMs: 4 },
  outputBytes: 7,
  nextSeq: 3,
  firstRetainedSeq: 1,
  title: null,
  lastLine: 'seven',
  progress: { state: 'normal', percent: 40 },
};

it('readChanged takes from a printed process only the members that output can change', () => {
  expect(readChanged({ printed: [{ ...printed, argv: 'rm' }] })).toEqual({ printed: [printed] });
});

it.each([
  { key: 7 },
  { lastOutputAtMs: 'now' },
  { lastInput: {} },
  { outputBytes: -1 },
  { nextSeq: null },
  { firstRetainedSeq: undefined },
  { title: 5 },
  { lastLine: undefined },
  { progress: { state: 'fine', percent: 40 } },
])('readChanged ignores a printed process that is malformed: %o', (nonsense) => {
  expect(readChanged({ printed: [{ ...printed, ...nonsense }, printed] })).toEqual({ printed: [printed] });
});

it('readChanged ignores removed recordings that are malformed', () => {
  const valid = { key: 'p', who: 'Ada' };
  const read = (recordingsRemoved: unknown): unknown =>
    readChanged({ recordingsRemoved })?.recordingsRemoved ?? null;
  expect(read({ recordings: [valid, 'p', { key: 'p' }] })).toEqual({
    recordings: [valid],
    isComplete: false,
  });
  expect(read({ recordings: 'all' })).toBeNull();
});
