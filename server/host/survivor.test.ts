// Identity of a process that has survived its starter, on macOS, where the unit of start times is 1 ms.
import { expect, it, vi } from 'vitest';
import { withLineage } from './lineage.ts';
import { startTimeNow } from './os-process.ts';
import { survivorOf } from './survivor.ts';

const START = Date.parse('Sat Nov 28 12:00:00 2026');

vi.mock('node:process', async (original) => ({ ...(await original<object>()), platform: 'darwin' }));
vi.mock('node:child_process', async (original) => ({
  ...(await original<object>()),
  execFileSync: () => '  500     1   500      0 ??       Ss   Sat Nov 28 12:00:00 2026     /bin/zsh',
}));

it.each([
  [0, true],
  [60_000, true],
  [60_001, false],
  [-1, false],
])(
  'A process on macOS that started %i ms after the earliest possible start survives: %s',
  (lateMs, isFound) => {
    expect(survivorOf({ pid: 500, startedAt: START - lateMs }) !== null).toBe(isFound);
  },
);

it('A lineage on macOS begins a second before the start, because start times are whole seconds there', () => {
  const before = startTimeNow();
  expect(
    withLineage(({ startedAt }) => before - 1000 <= startedAt && startedAt <= startTimeNow() - 1000),
  ).toBe(true);
});
