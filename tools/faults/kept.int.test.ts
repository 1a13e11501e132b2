// A short series of runs with a keeper; `npm run faults -- --kept 200` runs hundreds of kills.
import { expect, it } from 'vitest';
import { sharedMain } from '../../server/testing/command-line.ts';
import { keptRun } from './kept-run.ts';

it.each([1, 2, 3, 4])(
  '[KP1][KP2][KP3][KP4] a gateway that is killed, stopped and displaced loses no byte, no exit and no write: seed %i',
  async (seed) => {
    const { kills, stops, writes } = await keptRun({ seed, faults: 3, main: await sharedMain() });
    expect(kills + stops).toBeGreaterThanOrEqual(3);
    expect(writes).toBeGreaterThan(0);
  },
);
