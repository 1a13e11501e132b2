// A short series of runs with a keeper; `npm run faults -- --keeper 200` injects 200 faults.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedMain, sharedProduct } from '../../server/testing/command-line.ts';
import { otherProduct, type OtherProduct } from '../../server/testing/other-product.ts';
import { keeperRun } from './keeper-run.ts';

let other: OtherProduct;
beforeAll(async () => {
  other = otherProduct(sharedProduct(), (code) => `${code}\n// Another.\n`);
});
afterAll(() => rmSync(other.folder, { recursive: true }));

it.each([1, 2, 3])(
  '[KP1][KP2][KP3][KP4][KP21] a gateway that is killed, stopped, displaced and upgraded loses no byte, no exit and no write: seed %i',
  async (seed) => {
    const { kills, stops, writes } = await keeperRun({
      seed,
      faults: 3,
      mains: [sharedMain(), other.main],
    });
    expect(kills + stops).toBeGreaterThanOrEqual(3);
    expect(writes).toBeGreaterThan(0);
  },
);
