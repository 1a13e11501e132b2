// A short series of fault runs; `npm run nightly` runs thousands.
import { expect, it } from 'vitest';
import { again, runSeries } from './series.ts';

const RUNS = 20;
/** Maximum number of runs; on a busy machine more are needed, because each encounters fewer faults. */
const MOST_RUNS = 400;
const ENOUGH = { reconnects: 5, gaps: 3, accepted: 200 };

it('[UB1][UB2] runs with random faults lose and repeat nothing, and report exactly what is missing', async () => {
  const seen = { reconnects: 0, gaps: 0, accepted: 0 };
  let runs = 0;
  const isEnough = (): boolean =>
    runs >= 2 * RUNS &&
    seen.reconnects >= ENOUGH.reconnects &&
    seen.gaps >= ENOUGH.gaps &&
    seen.accepted >= ENOUGH.accepted;
  while (runs < MOST_RUNS && !isEnough()) {
    const series = await runSeries({ firstSeed: 1 + runs, runs: RUNS, parallel: 8 });
    const failures = series.failures.map(
      ({ seed, error }) => `seed ${seed}: ${error.message}; ${again(seed)}`,
    );
    expect(failures).toEqual([]);
    expect(series.runs).toBe(RUNS);
    runs += RUNS;
    seen.reconnects += series.reconnects;
    seen.gaps += series.gaps;
    seen.accepted += series.accepted;
  }
  expect(isEnough(), `${runs} runs had only ${JSON.stringify(seen)}`).toBe(true);
});
