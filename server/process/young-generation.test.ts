// What V8 is told, and when.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdYoungGeneration, printed } from './young-generation.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn(), getHeapSpaceStatistics: vi.fn() }));

const MIB = 1024 * 1024;
const factors = (): string[] =>
  vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag.slice(flag.indexOf('=') + 1));

/** Of how many MiB it is, each time that somebody looks. */
const sizes = (...mib: number[]): void => {
  const looks = vi.mocked(getHeapSpaceStatistics).mockReset();
  for (const each of mib) {
    const space = { space_name: 'new_space', space_size: each * MIB };
    looks.mockReturnValueOnce([space] as ReturnType<typeof getHeapSpaceStatistics>);
  }
};

const flood = (): void => {
  for (let step = 0; step < 10; step += 1) {
    vi.advanceTimersByTime(10);
    printed(MIB);
  }
};

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.advanceTimersByTime(60_000);
  vi.mocked(setFlagsFromString).mockClear();
});
afterEach(() => vi.useRealTimers());

it('is held small from the start', () => {
  holdYoungGeneration();
  expect(factors()).toEqual(['1']);
});

it('grows until it is as large as a flood needs, once, and is held there', () => {
  sizes(2, 2, 8);
  flood();
  flood();
  expect(factors()).toEqual(['4', '1']);
  expect(getHeapSpaceStatistics).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(5000);
  sizes(8);
  flood();
  expect(factors()).toEqual(['4', '1', '4', '1']);
  expect(getHeapSpaceStatistics).toHaveBeenCalledTimes(1);
});

it('stays small while many print a little', () => {
  vi.advanceTimersByTime(60_000);
  for (let step = 0; step < 1000; step += 1) {
    vi.advanceTimersByTime(10);
    printed(10_000);
  }
  expect(factors()).toEqual([]);
});
