// Measures an agent's most frequent request: a short command, from its start to `process/closed`.
import { Client, within } from '../rig/client.ts';
import type { Figures, Measure, Options } from '../rig/measure.ts';
import { percentile } from '../rig/statistics.ts';

/** Number of runs before the measurement, to load all code in use. */
const WARM_UP = 10;

export const oneshot: Measure = {
  name: 'oneshot',
  about: 'a program that does nothing: from its start to its end, with pipes and on a terminal',
  servers: 'all',
  async run(subject, options) {
    const client = await Client.open(subject);
    const pipe = await runMany(client, options, false);
    const tty = await runMany(client, options, true);
    client.close();
    return { ...pipe, ...tty };
  },
};

async function runMany(client: Client, { operations, seconds }: Options, tty: boolean): Promise<Figures> {
  const tookMs: number[] = [];
  const began = performance.now();
  for (let count = 0; count < operations + WARM_UP; count += 1) {
    const before = performance.now();
    const { closed } = await client.start(['true'], { tty });
    const endedAtMs = await within(closed, 'the end of a short program');
    if (count >= WARM_UP) tookMs.push(endedAtMs - before);
    if (performance.now() - began > seconds * 1000) break;
  }
  const what = tty ? 'tty' : 'pipe';
  return {
    [`${what}: p50, ms`]: percentile(tookMs, 0.5),
    [`${what}: p99, ms`]: percentile(tookMs, 0.99),
    [`${what}: operations`]: tookMs.length,
  };
}
