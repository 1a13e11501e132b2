// Measures ten thousand finished processes: memory of each, slowdown of further starts, and the list of processes.
import { Client } from '../rig/client.ts';
import { firstList } from '../rig/first-list.ts';
import type { Measure, Subject } from '../rig/measure.ts';
import { cpuSeconds, restingMemoryMb } from '../rig/readings.ts';

const COUNT = 10_000;
const AT_ONCE = 10;
/** Number of processes in a sample; the first and last samples are compared. */
const SAMPLE = 1000;

export const growthFinished: Measure = {
  name: 'growth-finished',
  about: '10,000 processes that have printed a line and ended: memory of each, CPU of one more, the list',
  servers: 'console',
  async run(subject) {
    const watcher = await Client.open(subject);
    await watcher.request('console/watch', {});
    const agent = await Client.open(subject);
    const empty = await restingMemoryMb(subject.pid);
    const samples: Sample[] = [];
    for (let done = 0; done < COUNT; done += SAMPLE) samples.push(await runMany(subject, agent, SAMPLE));
    const [first, last] = [samples.at(0), samples.at(-1)];
    const memory = await restingMemoryMb(subject.pid);
    const figures = {
      'memory, KB each': ((memory - empty) * 1000) / COUNT,
      'gateway CPU each, first thousand, ms': first?.cpuMs ?? Number.NaN,
      'gateway CPU each, last thousand, ms': last?.cpuMs ?? Number.NaN,
      'first thousand, processes/s': first?.perSecond ?? Number.NaN,
      'last thousand, processes/s': last?.perSecond ?? Number.NaN,
      ...(await firstList(subject, 'all')),
    };
    agent.close();
    watcher.close();
    return figures;
  },
};

interface Sample {
  readonly cpuMs: number;
  readonly perSecond: number;
}

/** Runs `count` processes, a few at a time, each until the end of its output; resolves with the cost per process. */
async function runMany({ pid }: Subject, agent: Client, count: number): Promise<Sample> {
  const [cpuBefore, before] = [cpuSeconds(pid), performance.now()];
  for (let done = 0; done < count; done += AT_ONCE) {
    const wave = Array.from({ length: AT_ONCE }, async () => {
      const process = await agent.start(['echo', 'done']);
      await process.closed;
    });
    await Promise.all(wave);
  }
  return {
    cpuMs: ((cpuSeconds(pid) - cpuBefore) * 1000) / count,
    perSecond: count / ((performance.now() - before) / 1000),
  };
}
