// Tests of the measurements of the event loop's load: rule DE9.
import { performance } from 'node:perf_hooks';
import { beforeEach, expect, it, vi } from 'vitest';
import { LoopLoad } from './loop-load.ts';

let now: number;
let utilization: number;
const measured = vi.fn();
beforeEach(() => {
  now = 1000;
  utilization = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((...points) => {
    if (points.length > 0) measured(...points);
    return { idle: 0, active: now, utilization };
  });
  return () => {
    vi.restoreAllMocks();
    measured.mockReset();
  };
});

it('[DE9] the loop is busy when it was idle for less than a quarter of the time since the last measurement', () => {
  const load = new LoopLoad();
  utilization = 1;
  now += 29;
  expect(load.isBusy).toBe(false);
  now += 1;
  expect(load.isBusy).toBe(true);
  expect(measured).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ active: 1030 }),
    expect.objectContaining({ active: 1000 }),
  );
  utilization = 0.75;
  now += 29;
  expect(load.isBusy).toBe(true);
  now += 1;
  expect(load.isBusy).toBe(false);
  expect(measured).toHaveBeenLastCalledWith(
    expect.objectContaining({ active: 1060 }),
    expect.objectContaining({ active: 1030 }),
  );
  utilization = 0.76;
  now += 30;
  expect(load.isBusy).toBe(true);
});
