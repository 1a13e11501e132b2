// What is more than allowed has to wait, and not for ever.
import { expect, it } from 'vitest';
import { Allowance } from './allowance.ts';

it('allows some in a time, and some more in the next', () => {
  const allowance = new Allowance(30, 60_000);
  const verdicts = Array.from({ length: 40 }, (_, i) => allowance.take(i));
  expect(verdicts.indexOf(false)).toBe(30);
  expect(allowance.take(59_999)).toBe(false);
  expect(allowance.take(60_000)).toBe(true);
});
