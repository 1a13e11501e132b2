// npm run faults -- --runs 10000 --seed 1 --parallel 8: a series of fault runs. With --kept N: N faults of a
// gateway with a keeper, killed and stopped during floods; needs a build.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keptSeries } from './kept-series.ts';
import { again, runSeries } from './series.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    kept: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    parallel: { type: 'string' },
  },
});
const firstSeed = Number(values.seed);
const startedAtMs = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAtMs) / 1000);
process.exit((values.kept === undefined ? await runFaults() : await runKept(Number(values.kept))) ? 0 : 1);

async function runFaults(): Promise<boolean> {
  const result = await runSeries({
    runs: Number(values.runs),
    firstSeed,
    parallel: Number(values.parallel ?? 8),
    done: (runs) => {
      if (runs % 100 === 0) console.log(`${runs} runs in ${seconds()} s`);
    },
  });
  for (const { seed, error } of result.failures)
    console.error(`seed ${seed}: ${error.message}\n  ${again(seed)}`);
  const { runs, reconnects, gaps, accepted, failures } = result;
  console.log(`${runs} runs from seed ${values.seed}: ${failures.length} failed`);
  console.log(`${reconnects} reconnects of watchers, ${gaps} gaps told, ${accepted} writes accepted`);
  return failures.length === 0;
}

async function runKept(faults: number): Promise<boolean> {
  const { runs, kills, stops, bytes, writes, failures } = await keptSeries({
    faults,
    firstSeed,
    parallel: Number(values.parallel ?? 2),
    main: fileURLToPath(new URL('../../dist/server/main.js', import.meta.url)),
    done: (seen) => console.log(`${seen.kills} kills in ${seconds()} s`),
    failed: (seed, error) =>
      console.error(`seed ${seed}: ${error.message}\n  npm run faults -- --kept 10 --seed ${seed}`),
  });
  console.log(`${runs} runs from seed ${values.seed}: ${failures} failed`);
  console.log(
    `${kills} kills and ${stops} stops, ${(bytes / 1e6).toFixed(0)} MB of output, ${writes} writes accepted`,
  );
  return failures === 0;
}
