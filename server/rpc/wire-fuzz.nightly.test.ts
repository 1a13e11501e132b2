// Sends hundreds of thousands of random and mutated frames from clients of every role.
import { it } from 'vitest';
import { staysUnmoved } from '../testing/wire-fuzz.ts';

const FRAMES = 400_000;

it.skipIf(process.platform !== 'linux')(
  '[LI11] a gateway withstands 400,000 random frames without leaks, and still serves other clients',
  () => staysUnmoved(FRAMES),
);
