// Measures the slowdown of a flood's owner by many watchers, a third of which do not read while attached. Fails unless
// each reading watcher accounts for each byte as received or skipped.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Seen } from '../rig/audience-worker.ts';
import { Audience } from '../rig/audience.ts';
import { Client } from '../rig/client.ts';
import type { Followed } from '../rig/followed.ts';
import type { Figures, Measure, Options, Subject } from '../rig/measure.ts';
import { FLOOD } from '../rig/programs.ts';
import { cpuSeconds, memoryMb, restingMemoryMb } from '../rig/readings.ts';

const COUNTS = [10, 100];
const SETTLE_MS = 1000;
/**
 * Length of one sample. Samples with and without watchers alternate, since the speed of a shared machine varies
 * over seconds.
 */
const LOOK_MS = 1000;
/** Pause after the watchers attach or detach, in which the buffers of those that do not read fill or drain. */
const CHANGE_MS = 1500;

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
  if (flood.key === null) throw new Error('the server has no key for its process');
  await sleep(SETTLE_MS);
  const memoryBefore = memoryMb(subject.pid);
  const audience = await Audience.of({ subject, key: flood.key, count });
  await sleep(SETTLE_MS);
  const [alone, watched] = [new Looks(subject, flood), new Looks(subject, flood)];
  const times = Math.max(1, Math.round((seconds * 1000) / 2 / LOOK_MS));
  let got = 0;
  for (let time = 0; time < times; time += 1) {
    if (time > 0) await audience.leave();
    await sleep(CHANGE_MS);
    await alone.look();
    await audience.watch();
    await sleep(CHANGE_MS);
    const before = await audience.bytes();
    await watched.look();
    const now = await audience.bytes();
    got += now - before;
  }
  const memoryWatched = memoryMb(subject.pid);
  await owner.terminate(flood);
  const seen = await audience.end();
  for (const one of seen) check(one, flood.bytes);
  owner.close();
  const named = (name: string): string => `${count} watchers: ${name}`;
  return {
    [named('owner, MB/s')]: watched.rate,
    [named('owner, ratio to no watchers')]: watched.rate / alone.rate,
    [named('gateway memory, +MB')]: memoryWatched - memoryBefore,
    [named('gateway memory at rest, MB')]: await restingMemoryMb(subject.pid),
    [named('gateway CPU, ratio to no watchers')]: watched.cpu / alone.cpu,
    [named('each gets, MB/s')]: got / 1e6 / seen.length / watched.seconds,
  };
}

/** Sum of several samples: output received by the owner, and CPU time of the gateway. */
class Looks {
  readonly #subject: Subject;
  readonly #flood: Followed;
  seconds = 0;
  #bytes = 0;
  #cpuSeconds = 0;

  constructor(subject: Subject, flood: Followed) {
    this.#subject = subject;
    this.#flood = flood;
  }

  async look(): Promise<void> {
    const { pid } = this.#subject;
    const [began, bytes, cpu] = [performance.now(), this.#flood.bytes, cpuSeconds(pid)];
    await sleep(LOOK_MS);
    this.seconds += (performance.now() - began) / 1000;
    this.#bytes += this.#flood.bytes - bytes;
    this.#cpuSeconds += cpuSeconds(pid) - cpu;
  }

  /** Output received by the owner, in MB/s. */
  get rate(): number {
    return this.#bytes / 1e6 / this.seconds;
  }

  /** CPU use of the gateway, in cores. */
  get cpu(): number {
    return this.#cpuSeconds / this.seconds;
  }
}

function check({ accounted, offset, bytes, gapBytes }: Seen, printed: number): void {
  if (accounted === printed) return;
  throw new Error(
    `a watcher received ${bytes} bytes after ${offset}, and gaps of ${gapBytes}, of the ${printed} printed`,
  );
}
