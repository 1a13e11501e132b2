// Tests of medians and percentiles.
import { describe, expect, it } from 'vitest';
import { median, percentile } from './statistics.ts';

describe('percentile', () => {
  it.each([
    [[5], 0.99, 5],
    [[3, 1, 2], 0.5, 2],
    [[4, 3, 2, 1], 0.5, 2],
    [Array.from({ length: 100 }, (_, i) => i + 1), 0.99, 99],
    [Array.from({ length: 101 }, (_, i) => i + 1), 0.99, 100],
  ])('(%j, %d) is %d', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});

describe('median', () => {
  it.each([
    [[7], 7],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
  ])('(%j) is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

it('without values, median and percentile are NaN', () => {
  expect([median([]), percentile([], 0.5)]).toEqual([Number.NaN, Number.NaN]);
});
