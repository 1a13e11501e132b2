// The short form of the fault runs; `npm run nightly` has thousands of them.
import { expect, it } from 'vitest';
import { again, runSeries } from './series.ts';

const RUNS = 40;

it(`[UB1][UB2] ${RUNS} runs lose nothing, do nothing twice, and tell exactly what is missing`, async () => {
  const { failures, runs, reconnects, gaps, accepted } = await runSeries({
    firstSeed: 1,
    runs: RUNS,
    parallel: 8,
  });
  expect(failures.map(({ seed, error }) => `seed ${seed}: ${error.message}; ${again(seed)}`)).toEqual([]);
  expect(runs).toBe(RUNS);
  // The seeds do what they are there for; a busy machine has less of it.
  expect(reconnects).toBeGreaterThan(RUNS / 10);
  expect(gaps).toBeGreaterThan(RUNS / 20);
  expect(accepted).toBeGreaterThan(4 * RUNS);
});
