// What V8 is told, and when.
import { setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdYoungGeneration, printed } from './young-generation.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

const MIB = 1024 * 1024;
const said = (): string[] => vi.mocked(setFlagsFromString).mock.calls.map(([flag]) => flag.slice(-1));

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(setFlagsFromString).mockClear();
});
afterEach(() => vi.useRealTimers());

it('lets it grow while somebody floods, and holds it again when that is over', () => {
  holdYoungGeneration();
  for (let step = 0; step < 10; step += 1) {
    vi.advanceTimersByTime(10);
    printed(MIB);
  }
  expect(said()).toEqual(['1', '2']);
  vi.advanceTimersByTime(900);
  printed(MIB);
  printed(MIB);
  vi.advanceTimersByTime(900);
  expect(said()).toEqual(['1', '2']);
  vi.advanceTimersByTime(2000);
  expect(said()).toEqual(['1', '2', '1']);
  expect(vi.getTimerCount()).toBe(0);
});

it('holds it while many print a little', () => {
  vi.advanceTimersByTime(60_000);
  for (let step = 0; step < 1000; step += 1) {
    vi.advanceTimersByTime(10);
    printed(10_000);
  }
  expect(said()).toEqual([]);
});
