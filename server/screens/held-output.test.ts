// Tests of the limits of held output, per terminal and in total.
import { expect, it } from 'vitest';
import { HeldOutput } from './held-output.ts';

it('[SN5] held output is limited for each screen and in total', () => {
  const held = new HeldOutput({ screenHeldBytes: 100, screensHeldBytes: 150 });
  const [one, other] = [held.share(), held.share()];
  expect(one.set(101)).toBe(false);
  expect(one.set(100)).toBe(true);
  expect(other.set(51)).toBe(false);
  expect(other.set(50)).toBe(true);
  expect(one.set(101)).toBe(false);
  expect(other.set(100)).toBe(true);
});
