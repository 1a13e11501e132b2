// Zoom, ticks and lanes of a timeline.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { statusOf } from '../../../text/process-words.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { laneTitle, lanesOf } from './timeline-lanes.ts';
import { lengthOf, showing, ticksOf, untilNow, zoomed } from './timeline-view.ts';

const HOUR = 3_600_000;

function entry(startedAtMs: number, ranMs: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    ...processInfo({
      key: `at ${startedAtMs}`,
      startedAtMs,
      exitedAtMs: startedAtMs + ranMs,
      state: 'closed',
      exitCode: 0,
    }),
    recordedBytes: 1,
    clientName: 'codex',
    ...more,
  };
}

const lanes = (entries: readonly HistoryEntry[]) =>
  lanesOf(entries, 10_000, (each) => statusOf(each) === 'failed');

describe('A timeline view', () => {
  const view = { fromMs: 0, toMs: HOUR };

  it('keeps the time under the pointer where it is', () => {
    const next = zoomed(view, 0.5, HOUR / 4);
    expect(lengthOf(next)).toBe(HOUR / 2);
    expect((HOUR / 4 - next.fromMs) / lengthOf(next)).toBeCloseTo(0.25);
  });

  it('is between two seconds and sixty days long', () => {
    expect(lengthOf(zoomed(view, 1e-9, 0))).toBe(2000);
    expect(lengthOf(zoomed(view, 1e9, 0))).toBe(60 * 24 * HOUR);
  });

  it('ends soon after now', () => {
    expect(untilNow({ fromMs: 0, toMs: HOUR }, HOUR / 2)).toEqual({
      fromMs: HOUR / 2 + HOUR / 20 - HOUR,
      toMs: HOUR / 2 + HOUR / 20,
    });
    expect(untilNow(view, 2 * HOUR)).toBe(view);
  });

  it('moves only when a time is outside it', () => {
    expect(showing(view, { fromMs: HOUR / 2, toMs: HOUR })).toBe(view);
    const before = showing(view, { fromMs: -HOUR, toMs: -HOUR });
    expect(before.fromMs).toBeLessThan(-HOUR);
    expect(before.toMs).toBeGreaterThan(-HOUR);
  });

  it('has ticks at round times with space for their labels, from seconds to days', () => {
    for (const length of [5000, 60_000, HOUR, 24 * HOUR, 20 * 24 * HOUR]) {
      const ticks = ticksOf({ fromMs: 1_700_000_123_456, toMs: 1_700_000_123_456 + length }, 1000);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(1000 / 76 + 1);
      for (const { atMs } of ticks) expect(atMs % 1000).toBe(0);
    }
  });
});

describe('Ticks where the clocks change', () => {
  const zone = process.env['TZ'];
  beforeEach(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it.each([
    ['1 h in spring', '2026-03-29T00:30', 4, ['01:00', '03:00', '04:00', '05:00']],
    ['1 h in autumn', '2026-10-25T00:30', 5, ['01:00', '02:00', '02:00', '03:00', '04:00']],
    ['2 h in spring', '2026-03-28T23:00', 8, ['00:00', '04:00', '06:00', '08:00']],
    ['2 h in autumn', '2026-10-24T23:00', 8, ['00:00', '02:00', '04:00', '06:00']],
    ['6 h in spring', '2026-03-28T12:00', 30, ['12:00', '18:00', '00:00', '06:00', '12:00', '18:00']],
    ['6 h in autumn', '2026-10-24T12:00', 30, ['12:00', '18:00', '00:00', '06:00', '12:00']],
    ['1 d in spring', '2026-03-28T00:00', 96, ['03-28', '03-29', '03-30', '03-31', '04-01']],
    ['1 d in autumn', '2026-10-24T00:00', 100, ['10-24', '10-25', '10-26', '10-27', '10-28']],
  ])('are at multiples of %s', (step, from, hours, texts) => {
    const isDay = step.startsWith('1 d');
    const stepHours = isDay ? 24 : Number.parseInt(step, 10);
    const fromMs = new Date(from).getTime();
    const widthPx = (76 * hours) / stepHours;
    const ticks = ticksOf({ fromMs, toMs: fromMs + hours * HOUR }, widthPx);
    expect(ticks.map(({ text }) => text)).toEqual(texts);
    expect(ticks.map(({ atMs }) => new Date(atMs).getMinutes())).toEqual(texts.map(() => 0));
    if (isDay) expect(ticks.map(({ atMs }) => new Date(atMs).getHours())).toEqual(texts.map(() => 0));
  });
});

describe('Lanes', () => {
  it('are threads of agents, and processes that ran at once are in separate rows', () => {
    const found = lanes([
      entry(3000, 500, { metadata: { threadId: 'b' } }),
      entry(1000, 1500, { metadata: { threadId: 'a' } }),
      entry(2000, 1000, { metadata: { threadId: 'a' }, exitCode: 1 }),
      entry(2600, 100, { metadata: { threadId: 'a' } }),
      entry(100, 100, { clientName: null, startedBy: 'Ada' }),
      entry(200, 100, { clientName: '', startedBy: 'Ada' }),
    ]);
    expect(found.map(laneTitle)).toEqual(['Ada', 'Codex · thread 1', 'Codex · thread 2']);
    const [, first] = found;
    expect(first?.bars.map(({ fromMs, row }) => [fromMs, row])).toEqual([
      [1000, 0],
      [2000, 1],
      [2600, 0],
    ]);
    expect(first).toMatchObject({ rows: 2, failed: 1 });
  });

  it('have a limited number of rows, and name sub-agents', () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      entry(at, 5000, { metadata: { threadId: 'c', parentThreadId: 'b' } }),
    );
    const [lane] = lanes(many);
    expect(lane).toMatchObject({ rows: 8 });
    expect(lane && laneTitle(lane)).toBe('Codex · sub-agent 1');
  });
});
