// Tests of the vital signs of the gateway, and of warnings about them.
import * as fs from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Health } from './health.ts';
import { VitalSigns } from './vital-signs.ts';

vi.mock('node:fs', { spy: true });

const GIB = 1024 ** 3;
let health: Health;
let vitals: VitalSigns;
beforeEach(() => {
  vi.useFakeTimers();
  health = new Health();
  vitals = new VitalSigns({ stateDir: '/', health, everyMs: 1000 });
});
afterEach(() => {
  vitals.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function free(bytes: number, total: number): void {
  const stat = { bavail: bytes / 4096, blocks: total / 4096, bsize: 4096 } as fs.StatsFs;
  vi.mocked(fs.statfsSync).mockReturnValue(stat);
}

it.each([
  [GIB, 100 * GIB, false],
  [65 * 1024 ** 2, 100 * GIB, false],
  [60 * 1024 ** 2, 100 * GIB, true],
  [800 * 1024, 1024 ** 2, false],
  [40 * 1024, 1024 ** 2, true],
  [0, 0, false],
])('[MT4] VitalSigns with %i free bytes of %i warns: %s', (bytes, total, warns) => {
  free(bytes, total);
  vi.advanceTimersByTime(1000);
  expect(health.state.reasons.join().includes('Free some space')).toBe(warns);
  free(GIB, 100 * GIB);
  vi.advanceTimersByTime(1000);
  expect(health.state.reasons).toEqual([]);
});

it('[MT4] VitalSigns warns while nearly all descriptors are open', () => {
  free(GIB, 100 * GIB);
  vi.mocked(fs.readFileSync).mockReturnValue('Max open files            100                 100     files');
  const open = vi.mocked(fs.readdirSync);
  open.mockReturnValue(Array.from({ length: 92 }, () => '') as never);
  vi.advanceTimersByTime(1000);
  expect(health.state.reasons.join()).toContain('90% of the 100 files');
  open.mockReturnValue(Array.from({ length: 91 }, () => '') as never);
  vi.advanceTimersByTime(1000);
  expect(health.state.reasons).toEqual([]);
});

it('[MT4] VitalSigns warns of an event loop that is late twice in a row, but not of one long sleep', () => {
  free(GIB, 100 * GIB);
  let lateMs = 0;
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + lateMs);
  const look = (moreLateMs: number): readonly string[] => {
    lateMs += moreLateMs;
    vi.advanceTimersByTime(1000);
    return health.state.reasons;
  };
  expect(look(60_000)).toEqual([]);
  expect(look(0)).toEqual([]);
  expect(look(3000)).toEqual([]);
  expect(look(3000).join()).toContain('3 s late');
  expect(look(0)).toEqual([]);
});
