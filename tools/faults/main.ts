// npm run faults -- --runs 10000 --seed 1 --parallel 8: a series of fault runs. With --keeper N: N faults of a
// gateway with a keeper, killed, stopped and upgraded during floods; needs a build.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { otherProduct } from '../../server/testing/other-product.ts';
import { keeperSeries } from './keeper-series.ts';
import { again, runSeries } from './series.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    keeper: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    parallel: { type: 'string' },
  },
});
const firstSeed = Number(values.seed);
const startedAtMs = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAtMs) / 1000);
process.exit(
  (values.keeper === undefined ? await runFaults() : await runKeeper(Number(values.keeper))) ? 0 : 1,
);

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
  console.log(`${reconnects} reconnects of watchers, ${gaps} gaps reported, ${accepted} writes accepted`);
  return failures.length === 0;
}

async function runKeeper(faults: number): Promise<boolean> {
  const product = join(import.meta.dirname, '../..');
  const other = otherProduct(product, (code) => `${code}\n// Another.\n`);
  const { runs, kills, stops, upgrades, bytes, writes, failures } = await keeperSeries({
    faults,
    firstSeed,
    parallel: Number(values.parallel ?? 2),
    mains: [join(product, 'dist/server/main.js'), other.main],
    done: (seen) => console.log(`${seen.kills} kills in ${seconds()} s`),
    failed: (seed, error) =>
      console.error(`seed ${seed}: ${error.message}\n  npm run faults -- --keeper 10 --seed ${seed}`),
  });
  rmSync(other.folder, { recursive: true });
  console.log(`${runs} runs from seed ${values.seed}: ${failures} failed`);
  console.log(
    `${kills} kills, ${stops} stops and ${upgrades} upgrades, ${(bytes / 1e6).toFixed(0)} MB of output, ${writes} writes accepted`,
  );
  return failures === 0;
}
