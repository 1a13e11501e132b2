// Remaining lifetime of a share.
import { expect, it } from 'vitest';
import { timeLeft } from './time-left.ts';

it.each([
  [-5, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [57 * 60_000 + 2001, '58 min'],
  [90 * 86_400_000 + 900, '90 days'],
  [60 * 60_000, '60 min'],
  [61 * 60_000, '2 h'],
  [24 * 3_600_000, '24 h'],
  [6.5 * 86_400_000, '7 days'],
])('timeLeft of %i ms is “%s”', (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});
