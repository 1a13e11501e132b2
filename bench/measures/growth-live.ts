// Measures the cost of each idle live process, and whether that cost depends on the number of processes.
import { Client } from '../rig/client.ts';
import { Crowd } from '../rig/crowd.ts';
import { firstList } from '../rig/first-list.ts';
import type { Measure } from '../rig/measure.ts';
import { cpuPercent, restingMemoryMb } from '../rig/readings.ts';

const COUNTS = [10, 100, 1000];
const IDLE_SECONDS = 5;

export const growthLive: Measure = {
  name: 'growth-live',
  about: '10, 100 and 1000 live idle terminals: memory and CPU of each, and the list of them',
  servers: 'all',
  async run(subject) {
    const isConsole = subject.pageUrl !== null;
    const watcher = await Client.open(subject);
    if (isConsole) await watcher.request('console/watch', {});
    const empty = await restingMemoryMb(subject.pid);
    const figures: Record<string, number> = { 'empty: memory, MB': empty };
    const crowd = new Crowd(subject);
    for (const count of COUNTS) {
      await crowd.growTo(count, ['sleep', '3600']);
      const memory = await restingMemoryMb(subject.pid);
      figures[`${count}: memory, KB each`] = ((memory - empty) * 1000) / count;
      figures[`${count}: CPU, % of a core`] = await cpuPercent(subject.pid, IDLE_SECONDS);
      if (isConsole) Object.assign(figures, await firstList(subject, String(count)));
    }
    crowd.close();
    watcher.close();
    return figures;
  },
};
