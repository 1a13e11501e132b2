// Measures the cost of many connections that watch the console: memory of each, CPU while idle, and CPU per process
// that starts and ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../rig/client.ts';
import type { Figures, Measure, Subject } from '../rig/measure.ts';
import { cpuPercent, restingMemoryMb } from '../rig/readings.ts';

/** Numbers of connections, including the agent's. */
const COUNTS = [10, 200];
/** Pause after each process, so that the next start is sent in a separate notification. */
const PAUSE_MS = 150;

export const growthConnections: Measure = {
  name: 'growth-connections',
  about: '10 and 200 connections that watch the console: memory of each, and CPU of their notifications',
  servers: 'console',
  async run(subject, { seconds }) {
    const agent = await Client.open(subject);
    const empty = await restingMemoryMb(subject.pid);
    const watching: Client[] = [];
    const figures: Record<string, number> = {};
    for (const count of COUNTS) {
      while (watching.length < count - 1) {
        const watcher = await Client.open(subject);
        await watcher.request('console/watch', {});
        watching.push(watcher);
      }
      const memory = await restingMemoryMb(subject.pid);
      figures[`${count}: memory, KB each`] = ((memory - empty) * 1000) / watching.length;
      Object.assign(figures, await change(subject, agent, { count, seconds: seconds / 4 }));
    }
    for (const watcher of watching) watcher.close();
    agent.close();
    return figures;
  },
};

async function change(
  { pid }: Subject,
  agent: Client,
  { count, seconds }: { count: number; seconds: number },
): Promise<Figures> {
  const idle = await cpuPercent(pid, seconds);
  let changes = 0;
  const over = new AbortController();
  const changing = (async () => {
    while (!over.signal.aborted) {
      const process = await agent.start(['true']);
      await process.closed;
      changes += 1;
      await sleep(PAUSE_MS);
    }
  })();
  const busy = await cpuPercent(pid, seconds);
  over.abort();
  await changing;
  return {
    [`${count}: CPU when idle, % of a core`]: idle,
    // One percent of a core for a second is 10 ms.
    [`${count}: CPU of a start and its end, ms`]: ((busy - idle) * 10 * seconds) / changes,
  };
}
