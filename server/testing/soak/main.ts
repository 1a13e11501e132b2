// npm run soak -- --minutes 120 --chart docs/soak.svg: a gateway under mixed load, and whether it stays as it was.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BareEcho } from './bare-echo.ts';
import { chart } from './chart.ts';
import type { Held, SoakedGateway } from './gateway.ts';
import { Load } from './load.ts';
import { judge, median, type Sample } from './verdict.ts';

const SAMPLE_MS = 1000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, chart: { type: 'string' } },
});
const lengthMs = Number(values.minutes) * 60_000;
const child = fork(join(import.meta.dirname, 'gateway.ts'), { execArgv: ['--expose-gc', '--import', 'tsx'] });
const [gateway] = (await once(child, 'message')) as [SoakedGateway];
const load = await Load.on(gateway);
const bareEcho = await BareEcho.start();
const samples: Sample[] = [];
await Promise.all([load.run(), bareEcho.run(), sampled()]);
child.disconnect();
await once(child, 'exit');

for (const [name, rounds] of load.rounds) console.log(`${rounds} ${name}`);
const judged = judge(samples);
for (const { measure, second, last, isGood } of judged) {
  const [before, after] = [second.toFixed(2), last.toFixed(2)];
  const said = `${measure.name}: ${before} ${measure.unit} in the second quarter, ${after} in the last`;
  const verdict = isGood ? 'as it was' : `more than ${measure.most} times as much`;
  console.log(measure.most === null ? said : `${said}: ${verdict}`);
}
if (values.chart !== undefined) {
  writeFileSync(values.chart, chart(samples, values.minutes));
}
process.exit(judged.every(({ isGood }) => isGood) ? 0 : 1);

async function sampled(): Promise<void> {
  const beganAtMs = performance.now();
  while (performance.now() - beganAtMs < lengthMs) {
    await sleep(SAMPLE_MS);
    const held = await heldBy(child);
    samples.push({
      ...held,
      atMs: performance.now() - beganAtMs,
      descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
      echoMs: typical(load.takeEchoes()),
      bareEchoMs: typical(bareEcho.takeEchoes()),
    });
  }
  load.end();
  bareEcho.end();
}

/** Of a second in which none came back: all of it. */
function typical(echoes: readonly number[]): number {
  return echoes.length > 0 ? median(echoes) : SAMPLE_MS;
}

async function heldBy(soaked: ChildProcess): Promise<Held> {
  const answer = once(soaked, 'message');
  soaked.send('how much');
  return ((await answer) as [Held])[0];
}
