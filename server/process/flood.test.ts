// What counts as a flood, and as its end.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { compileAsUsual, compileLate } from './compiling.ts';
import { printed } from './flood.ts';
import { emptyYoungGeneration, growYoungGeneration } from './young-generation.ts';

vi.mock('./compiling.ts', () => ({ compileLate: vi.fn(), compileAsUsual: vi.fn() }));
vi.mock('./young-generation.ts', () => ({ growYoungGeneration: vi.fn(), emptyYoungGeneration: vi.fn() }));

const MIB = 1024 * 1024;
/** What has been done at the beginning of one, and at the end, each as often as the other. */
const counts = ([compile, generation]: readonly (() => void)[]): number => {
  const [first, second] = [compile, generation].map((each) => vi.mocked(each!).mock.calls.length);
  expect(first).toBe(second);
  return first!;
};
const begun = (): number => counts([compileLate, growYoungGeneration]);
const over = (): number => counts([compileAsUsual, emptyYoungGeneration]);

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
