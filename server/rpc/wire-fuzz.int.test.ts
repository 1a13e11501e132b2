// Random and mutated frames from everybody who may come in; wire-fuzz.nightly.test.ts sends more.
import { it } from 'vitest';
import { staysUnmoved } from '../testing/wire-fuzz.ts';

const FRAMES = 20_000;

it.skipIf(process.platform !== 'linux')(
  '[LI11] a gateway that is sent twenty thousand random frames goes on unmoved, holds no more than before, and serves everybody else meanwhile',
  () => staysUnmoved(FRAMES),
);
