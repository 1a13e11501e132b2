// Wrong proofs in bulk are told to wait, and not for ever.
import { expect, it } from 'vitest';
import { FailedProofs } from './failed-proofs.ts';

it('allows some in a minute, and some more in the next', () => {
  const failed = new FailedProofs();
  const verdicts = Array.from({ length: 40 }, (_, i) => failed.add(i));
  expect(verdicts.indexOf(false)).toBe(30);
  expect(failed.add(59_999)).toBe(false);
  expect(failed.add(60_000)).toBe(true);
});
