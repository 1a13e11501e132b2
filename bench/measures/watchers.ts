// One flood, its owner and many who watch it, a third of whom never read: the owner must not notice them, and the others must
// know to the byte what they got and what they missed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Told } from '../audience-worker.ts';
import { Audience } from '../audience.ts';
import { Client } from '../client.ts';
import type { Followed } from '../followed.ts';
import type { Figures, Measure, Options, Subject } from '../measure.ts';
import { FLOOD } from '../programs.ts';
import { cpuPercent, memoryMb, restingMemoryMb } from '../readings.ts';

const COUNTS = [10, 100];
const SETTLE_MS = 1000;

export const watchers: Measure = {
  name: 'watchers',
  about: 'one flood; 10 and 100 watchers, a third of them never reading',
  servers: 'console',
  async run(subject, options) {
    const figures: Record<string, number> = {};
    for (const count of COUNTS) Object.assign(figures, await watchFlood(subject, options, count));
    return figures;
  },
};

async function watchFlood(subject: Subject, { seconds }: Options, count: number): Promise<Figures> {
  const owner = await Client.open(subject);
  const flood = await owner.start(FLOOD);
  await sleep(SETTLE_MS);
  const share = seconds / 4;
  const alone = [await rateOf(subject, flood, share)];
  const memoryBefore = memoryMb(subject.pid);
  if (flood.key === null) throw new Error('the server has no key for its process');
  const audience = await Audience.of({ subject, key: flood.key, count });
  await sleep(SETTLE_MS);
  const watched = await rateOf(subject, flood, share * 2);
  const memoryWatched = memoryMb(subject.pid);
  await owner.terminate(flood);
  const told = await audience.told();
  for (const each of told) check(each, flood.bytes);
  // Without watchers again, so that a drift of the machine is not taken for theirs.
  const again = await owner.start(FLOOD);
  await sleep(SETTLE_MS);
  alone.push(await rateOf(subject, again, share));
  await owner.terminate(again);
  owner.close();
  const got = told.reduce((sum, { bytes }) => sum + bytes, 0);
  const rate = mean(alone.map(({ megabytes }) => megabytes));
  const named = (name: string): string => `${count} watchers: ${name}`;
  return {
    [named('owner, MB/s')]: watched.megabytes,
    [named('owner, ratio of none')]: watched.megabytes / rate,
    [named('gateway memory, +MB')]: memoryWatched - memoryBefore,
    [named('gateway memory at rest, MB')]: await restingMemoryMb(subject.pid),
    [named('gateway CPU, ratio of none')]: watched.cpu / mean(alone.map(({ cpu }) => cpu)),
    [named('each gets, MB/s')]: got / 1e6 / told.length / (share * 2 + SETTLE_MS / 1000),
  };
}

async function rateOf(
  { pid }: Subject,
  flood: Followed,
  seconds: number,
): Promise<{ megabytes: number; cpu: number }> {
  const [bytesBefore, before] = [flood.bytes, performance.now()];
  const cpu = await cpuPercent(pid, seconds);
  return { megabytes: (flood.bytes - bytesBefore) / 1e6 / ((performance.now() - before) / 1000), cpu };
}

function check({ accounted, offset, bytes, gapBytes }: Told, printed: number): void {
  if (accounted === printed) return;
  throw new Error(
    `a watcher got ${bytes} bytes from ${offset} on, and was told of ${gapBytes} missing: not the ${printed} printed`,
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
