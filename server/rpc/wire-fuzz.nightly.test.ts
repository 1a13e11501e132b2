// Hundreds of thousands of random and mutated frames, from everybody who may come in.
import { it } from 'vitest';
import { staysUnmoved } from '../testing/wire-fuzz.ts';

const FRAMES = 400_000;

it.skipIf(process.platform !== 'linux')(
  '[LI11] a gateway that is sent hundreds of thousands of random frames goes on unmoved, holds no more than before, and serves everybody else meanwhile',
  () => staysUnmoved(FRAMES),
);
