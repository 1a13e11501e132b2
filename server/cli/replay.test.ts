// Pauses of a replay on the command line.
import { expect, it } from 'vitest';
import { pauseMs } from './replay.ts';

it.each([
  ['original', 1500, 1, 1500],
  ['divided by the speed', 1500, 2, 750],
  ['multiplied by a speed below 1', 500, 0.5, 1000],
  ['at most --max-idle', 60_000, 1, 2000],
  ['at most --max-idle at a low speed', 1900, 0.5, 2000],
  ['at most --max-idle at a high speed', 60_000, 10, 2000],
  ['none when the clock was set back', -5000, 1, 0],
])('a pause is %s', (_, apartMs, speed, expected) => {
  expect(pauseMs(apartMs, { speed, maxIdleMs: 2000 })).toBe(expected);
});
