// Delays between attempts to connect.
import { describe, expect, it } from 'vitest';
import { backoff } from './backoff.ts';

describe('backoff', () => {
  it.each([
    [1, 125, 250],
    [2, 250, 500],
    [3, 500, 1000],
    [6, 4000, 8000],
    [7, 5000, 10_000],
    [5000, 5000, 10_000],
  ])('waits before attempt %i from %i to %i ms', (attempt, least, most) => {
    expect(backoff(attempt, 0)).toBe(least);
    expect(backoff(attempt, 1)).toBe(most);
  });
});
