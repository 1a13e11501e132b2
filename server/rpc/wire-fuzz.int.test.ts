// Sends random and mutated frames from clients of every role; wire-fuzz.nightly.test.ts sends more.
import { it } from 'vitest';
import { staysUnmoved } from '../testing/wire-fuzz.ts';

const FRAMES = 20_000;

it.skipIf(process.platform !== 'linux')(
  '[LI11] a gateway withstands 20,000 random frames without leaks, and still serves other clients',
  () => staysUnmoved(FRAMES),
);
