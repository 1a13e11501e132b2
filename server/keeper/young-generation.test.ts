// What V8 is told of its young generation, and how long that is looked at.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  emptyYoungGeneration,
  growYoungGeneration,
  holdYoungGeneration,
  shareYoungGeneration,
} from './young-generation.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn(), getHeapSpaceStatistics: vi.fn() }));

const MIB = 1024 * 1024;
const flags = (): string[] => vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag);
const factors = (): string[] =>
  flags()
    .filter((flag) => flag.includes('growth-factor'))
    .map((flag) => flag.slice(flag.indexOf('=') + 1));

/** Of how many MiB it is, or is used of it, each time that somebody looks. */
const looks = (what: 'space_size' | 'space_used_size', ...mib: number[]): void => {
  const statistics = vi.mocked(getHeapSpaceStatistics).mockReset();
  for (const each of mib) {
    const space = { space_name: 'new_space', [what]: each * MIB };
    statistics.mockReturnValueOnce([space] as unknown as ReturnType<typeof getHeapSpaceStatistics>);
  }
};

beforeEach(() => {
  vi.mocked(setFlagsFromString).mockClear();
});

it('is held small from the start', () => {
  holdYoungGeneration();
  expect(factors()).toEqual(['1']);
});

it('grows until it is as large as a flood needs, and is held there', () => {
  looks('space_size', 2, 2, 8);
  growYoungGeneration();
  expect(factors()).toEqual(['4', '1']);
  expect(getHeapSpaceStatistics).toHaveBeenCalledTimes(3);
});

it('is as large still when the next flood begins soon', () => {
  looks('space_size', 8);
  growYoungGeneration();
  expect(factors()).toEqual(['4', '1']);
  expect(getHeapSpaceStatistics).toHaveBeenCalledOnce();
});

it('is filled up until it is emptied', () => {
  looks('space_used_size', 1, 2, 3, 0.5);
  emptyYoungGeneration();
  expect(getHeapSpaceStatistics).toHaveBeenCalledTimes(4);
  expect(factors()).toEqual([]);
});

it('is cleared by one thread or by several', () => {
  shareYoungGeneration(false);
  shareYoungGeneration(true);
  expect(flags()).toEqual([
    '--no-parallel-scavenge',
    '--no-concurrent-array-buffer-sweeping',
    '--parallel-scavenge',
    '--concurrent-array-buffer-sweeping',
  ]);
});
