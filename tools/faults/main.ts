// npm run faults -- --runs 10000 --seed 1 --parallel 8: any number of fault runs, started by hand.
import { parseArgs } from 'node:util';
import { again, runSeries } from './series.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    parallel: { type: 'string', default: '8' },
  },
});
const startedAtMs = performance.now();
const result = await runSeries({
  runs: Number(values.runs),
  firstSeed: Number(values.seed),
  parallel: Number(values.parallel),
  done: (runs) => {
    if (runs % 100 === 0)
      console.log(`${runs} runs in ${Math.round((performance.now() - startedAtMs) / 1000)} s`);
  },
});
for (const { seed, error } of result.failures)
  console.error(`seed ${seed}: ${error.message}\n  ${again(seed)}`);
const { runs, reconnects, gaps, accepted, failures } = result;
console.log(`${runs} runs from seed ${values.seed}: ${failures.length} failed`);
console.log(`${reconnects} reconnects of watchers, ${gaps} gaps told, ${accepted} writes accepted`);
process.exit(failures.length > 0 ? 1 : 0);
