// Measures a client that stops reading for a while, like a suspended laptop: its cost for the server, its effect on
// others, and the output skipped for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, within } from '../rig/client.ts';
import type { Figures, Measure, Options, Subject } from '../rig/measure.ts';
import { FLOOD, startEcho } from '../rig/programs.ts';
import { memoryMb } from '../rig/readings.ts';
import { percentile } from '../rig/statistics.ts';

const SETTLE_MS = 500;
/** Pause between keystrokes of another client, and between memory readings. */
const PAUSE_MS = 5;
/** Amount of output after the stall that proves that the flood has resumed. */
const AFTER_BYTES = 20e6;

export const stall: Measure = {
  name: 'stall',
  about: 'a client that stops reading while a pipe floods: memory, another connection’s echo, gaps',
  servers: 'all',
  run: stallOne,
};

async function stallOne(subject: Subject, { operations, seconds }: Options): Promise<Figures> {
  const other = await Client.open(subject);
  const strike = await startEcho(other);
  const quiet: number[] = [];
  while (quiet.length < operations / 4) quiet.push(await paced(strike));
  const client = await Client.open(subject);
  const flood = await client.start(FLOOD);
  await sleep(SETTLE_MS);
  const memoryBefore = memoryMb(subject.pid);
  client.pause();
  const delays: number[] = [];
  let most = memoryBefore;
  const began = performance.now();
  while (performance.now() - began < (seconds / 2) * 1000) {
    delays.push(await paced(strike));
    most = Math.max(most, memoryMb(subject.pid));
  }
  const bytesBefore = flood.bytes;
  client.resume();
  await within(flood.reached(bytesBefore + AFTER_BYTES), 'the flood to continue');
  const figures = {
    'memory, +MB': most - memoryBefore,
    'echo before: p99, ms': percentile(quiet, 0.99),
    'echo meanwhile: p50, ms': percentile(delays, 0.5),
    'echo meanwhile: p99, ms': percentile(delays, 0.99),
    'skipped, events': flood.missedEvents,
  };
  client.close();
  other.close();
  return figures;
}

async function paced(strike: () => Promise<number>): Promise<number> {
  const delay = await strike();
  await sleep(PAUSE_MS);
  return delay;
}
