// What V8 is told, and when.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdYoungGeneration, printed } from './young-generation.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn(), getHeapSpaceStatistics: vi.fn() }));

const MIB = 1024 * 1024;
const factors = (): string[] =>
  vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag.slice(flag.indexOf('=') + 1));

type Space = 'space_size' | 'space_used_size';

/** Of how many MiB it is, or is used of it, each time that somebody looks. */
const looks = (what: Space, ...mib: number[]): void => {
  const statistics = vi.mocked(getHeapSpaceStatistics).mockReset();
  for (const each of mib) {
    const space = { space_name: 'new_space', [what]: each * MIB };
    statistics.mockReturnValueOnce([space] as unknown as ReturnType<typeof getHeapSpaceStatistics>);
  }
};
const sizes = (...mib: number[]): void => looks('space_size', ...mib);

const flood = (): void => {
  for (let step = 0; step < 10; step += 1) {
    vi.advanceTimersByTime(10);
    printed(MIB);
  }
};

/** It is one for all tests, and remembers: each is later than the one before. */
let beginsAtMs = 0;
beforeEach(() => {
  beginsAtMs += 600_000;
  vi.useFakeTimers({ now: 0 });
  vi.advanceTimersByTime(beginsAtMs);
  vi.mocked(setFlagsFromString).mockClear();
});
const rest = (): void => {
  looks('space_used_size', 2, 1);
  vi.advanceTimersByTime(5000);
};
afterEach(() => {
  rest();
  vi.useRealTimers();
});

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
  rest();
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

it('is filled up until it is emptied when nothing has been printed for a while after much', () => {
  sizes(8);
  flood();
  looks('space_used_size', 1, 2, 3, 0.5);
  vi.advanceTimersByTime(100);
  printed(1);
  vi.advanceTimersByTime(200);
  expect(getHeapSpaceStatistics).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(getHeapSpaceStatistics).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(60_000);
  expect(getHeapSpaceStatistics).toHaveBeenCalledTimes(4);
  expect(vi.getTimerCount()).toBe(0);
});

it('is left alone while there is more', () => {
  sizes(8);
  for (let second = 0; second < 10; second += 0.1) flood();
  expect(getHeapSpaceStatistics).toHaveBeenCalledOnce();
});
