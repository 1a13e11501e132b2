// Tests that bins of output lose no byte, however long the recording becomes.
import { expect, it } from 'vitest';
import { Bins } from './bins.ts';

it('Bins become longer as their number grows, and retain every byte', () => {
  const bins = new Bins();
  for (let at = 0; at < 50_000; at += 1) bins.add(1_000_000 + at * 1000, 3);
  const { bins: numbers, binBytes } = bins.all();
  expect(numbers.length).toBeLessThanOrEqual(2000);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(binBytes.reduce((sum, bytes) => sum + bytes, 0)).toBe(150_000);
  expect(bins.fromMs).toBe(1_000_000);
  expect(((numbers.at(-1) ?? 0) + 1) * bins.binMs).toBeGreaterThanOrEqual(49_999_000);
});

it('Bins are omitted when they have no output', () => {
  const bins = new Bins();
  bins.add(0, 1);
  bins.add(10_000, 2);
  expect(bins.all()).toEqual({ bins: [0, 100], binBytes: [1, 2] });
});
