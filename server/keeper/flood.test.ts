// What counts as a flood, and as its end.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileAsUsual, compileLate } from '../host/compiling.ts';
import { printed } from './flood.ts';
import { emptyYoungGeneration, growYoungGeneration, shareYoungGeneration } from './young-generation.ts';

vi.mock('../host/compiling.ts', () => ({ compileLate: vi.fn(), compileAsUsual: vi.fn() }));
vi.mock('./young-generation.ts', () => ({
  growYoungGeneration: vi.fn(),
  emptyYoungGeneration: vi.fn(),
  shareYoungGeneration: vi.fn(),
}));

const MIB = 1024 * 1024;
/** How often each of these has been called, which is the same for all. */
const times = (...counts: number[]): number => {
  expect(new Set(counts).size).toBe(1);
  return counts[0] ?? 0;
};
const calls = (each: () => void): number => vi.mocked(each).mock.calls.length;
const shared = (isShared: boolean): number =>
  vi.mocked(shareYoungGeneration).mock.calls.filter(([each]) => each === isShared).length;
const begun = (): number => times(calls(compileLate), calls(growYoungGeneration), shared(false));
const over = (): number => times(calls(compileAsUsual), calls(emptyYoungGeneration), shared(true));

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
  vi.clearAllMocks();
});
afterEach(() => {
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
});

it('begins once, and again after a while without', () => {
  flood();
  flood();
  expect(begun()).toBe(1);
  vi.advanceTimersByTime(5000);
  flood();
  expect(begun()).toBe(2);
});

it('is none while many print a little', () => {
  for (let step = 0; step < 1000; step += 1) {
    vi.advanceTimersByTime(10);
    printed(10_000);
  }
  expect(begun()).toBe(0);
});

it('is over when nothing has been printed for a while after much, once', () => {
  flood();
  vi.advanceTimersByTime(100);
  printed(1);
  vi.advanceTimersByTime(200);
  expect(over()).toBe(0);
  vi.advanceTimersByTime(300);
  expect(over()).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(over()).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('goes on for as long as there is more', () => {
  for (let second = 0; second < 10; second += 0.1) flood();
  expect(begun()).toBe(1);
  expect(over()).toBe(0);
});

it('begins again as soon as one was over', () => {
  flood();
  vi.advanceTimersByTime(600);
  expect(over()).toBe(1);
  flood();
  expect(begun()).toBe(2);
});
