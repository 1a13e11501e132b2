// npm run soak -- --minutes 120 --chart docs/soak.svg: runs a gateway under mixed load and reports whether it
// degrades.
import { readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chart } from './chart.ts';
import { forkGateway } from './forked-gateway.ts';
import { Load } from './load.ts';
import { judge, quantile, type Sample } from './verdict.ts';
import { YoungGateway } from './young-gateway.ts';

const SAMPLE_MS = 1000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, chart: { type: 'string' } },
});
const lengthMs = Number(values.minutes) * 60_000;
const soaked = await forkGateway();
const load = await Load.on(soaked.gateway);
const young = new YoungGateway();
const samples: Sample[] = [];
// The young gateway is replaced after each quarter, so that it has the same age in the second and last
// quarter.
await Promise.all([load.run(), young.run(lengthMs / 4), sampled()]);
await soaked.stop();

for (const [name, rounds] of load.rounds) console.log(`${rounds} ${name}`);
const judged = judge(samples);
for (const { measure, second, last, isGood } of judged) {
  const [before, after] = [second.toFixed(2), last.toFixed(2)];
  const summary = `${measure.name}: ${before} ${measure.unit} in the second quarter, ${after} in the last`;
  const verdict = isGood ? 'within the limit' : `more than ${measure.most} times as much`;
  console.log(measure.most === null ? summary : `${summary}: ${verdict}`);
}
if (values.chart !== undefined) {
  writeFileSync(values.chart, chart(samples, values.minutes));
}
process.exit(judged.every(({ isGood }) => isGood) ? 0 : 1);

async function sampled(): Promise<void> {
  const beganAtMs = performance.now();
  while (performance.now() - beganAtMs < lengthMs) {
    await sleep(SAMPLE_MS);
    const held = await soaked.held();
    const [echoes, youngEchoes] = [load.takeEchoes(), young.takeEchoes()];
    // A young gateway that is still starting has no echoes for a comparison.
    if (youngEchoes.length === 0) continue;
    samples.push({
      ...held,
      atMs: performance.now() - beganAtMs,
      descriptors: readdirSync(`/proc/${soaked.pid}/fd`).length,
      echoMs: echoes.length > 0 ? quantile(echoes) : SAMPLE_MS,
      youngEchoMs: quantile(youngEchoes),
    });
  }
  load.end();
  young.end();
}
