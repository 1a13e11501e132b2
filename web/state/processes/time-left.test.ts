// Remaining lifetime of a share.
import { expect, it } from 'vitest';
import { timeLeft } from './time-left.ts';

it.each([
  [-5, '<1m'],
  [59_999, '<1m'],
  [60_000, '1m'],
  [57 * 60_000 + 2001, '58m'],
  [90 * 86_400_000 + 900, '90d'],
  [60 * 60_000, '60m'],
  [61 * 60_000, '2h'],
  [24 * 3_600_000, '24h'],
  [6.5 * 86_400_000, '7d'],
])('timeLeft of %i ms is “%s”', (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});
