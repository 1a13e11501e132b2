// Time axis of a replay, with and without idle time.
import { describe, expect, it } from 'vitest';
import type { RecordingResult } from '../../../protocol/replay.ts';
import { ReplayAxis } from './replay-axis.ts';
import { momentHref, parseMomentLink } from './replaying.ts';

/** Output in the first second and, after a silent minute, in one more second. */
const recording: RecordingResult = {
  fromMs: 1000,
  toMs: 62_000,
  binMs: 1000,
  bins: [0, 60],
  binBytes: [10, 10],
  marks: [],
  isCut: false,
};

describe('ReplayAxis', () => {
  it('maps times one to one while idle time is not shortened', () => {
    const axis = new ReplayAxis(recording, { skipsIdle: false, endMs: 0 });
    expect(axis.lengthMs).toBe(61_000);
    expect(axis.toReal(30_000)).toBe(31_000);
  });

  it('shortens idle time to half a second, and maps back', () => {
    const axis = new ReplayAxis(recording, { skipsIdle: true, endMs: 0 });
    expect(axis.lengthMs).toBe(2500);
    expect(axis.toShown(1500)).toBe(500);
    expect(axis.toShown(61_000)).toBe(1500);
    expect(axis.toReal(1250)).toBeCloseTo(31_500);
    for (const realMs of [1000, 1700, 2000, 30_000, 61_000, 61_500, 62_000])
      expect(axis.toReal(axis.toShown(realMs))).toBeCloseTo(realMs);
  });

  it('extends to now while the process runs, and never beyond its ends', () => {
    const axis = new ReplayAxis(recording, { skipsIdle: true, endMs: 100_000 });
    expect(axis.toMs).toBe(100_000);
    expect(axis.lengthMs).toBe(3000);
    expect(axis.atShare(2)).toBe(100_000);
    expect(axis.atShare(-1)).toBe(1000);
  });

  it('has a length even for a recording without output', () => {
    const empty = { ...recording, toMs: 1000, bins: [], binBytes: [] };
    const axis = new ReplayAxis(empty, { skipsIdle: true, endMs: 0 });
    expect(axis.shareOf(1000)).toBe(0);
  });
});

it('a link to a moment contains the key and the time since the start, and other text is rejected', () => {
  expect(parseMomentLink(momentHref('a-b_', 1234.4))).toEqual({ key: 'a-b_', offsetMs: 1234 });
  for (const other of ['#key:L10', '#key:T', '#key:T-1', '#T1', '#%:T1', '#a%2Fb:T1', '#__proto__:T1'])
    expect(parseMomentLink(other)).toBe(null);
});
