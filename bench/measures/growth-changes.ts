// Measures the notifications to one watcher of the console while all processes print.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../rig/client.ts';
import { Crowd } from '../rig/crowd.ts';
import type { Figures, Measure, Options, Subject } from '../rig/measure.ts';
import { ticking } from '../rig/programs.ts';
import { cpuPercent } from '../rig/readings.ts';

const COUNTS = [10, 100, 1000];
const TICK_SECONDS = 0.5;
const SETTLE_MS = 3000;

interface Watcher {
  readonly name: string;
  readonly isBrief: boolean;
  /** Number of processes that the watcher reports as in view. */
  readonly looksAt: number;
}

/**
 * Watchers, measured one at a time: the page, with a limited number of rows in view, and a program that
 * requests whole objects and has no rows.
 */
const WATCHERS: readonly Watcher[] = [
  { name: 'page', isBrief: true, looksAt: 30 },
  { name: 'whole objects', isBrief: false, looksAt: 0 },
];

export const growthChanges: Measure = {
  name: 'growth-changes',
  about:
    '10, 100 and 1000 terminals that print twice a second: the changes sent to a page with 30 in view, and to a client of whole objects',
  servers: 'console',
  async run(subject, options) {
    const figures: Record<string, number> = {};
    const crowd = new Crowd(subject);
    for (const count of COUNTS) {
      await crowd.growTo(count, ticking(TICK_SECONDS));
      for (const watcher of WATCHERS) {
        const reported = await watch(subject, options, crowd, watcher);
        for (const [name, figure] of Object.entries(reported))
          figures[`${count}, ${watcher.name}: ${name}`] = figure;
      }
    }
    crowd.close();
    return figures;
  },
};

async function watch(
  subject: Subject,
  { seconds }: Options,
  { processes }: Crowd,
  { isBrief, looksAt }: Watcher,
): Promise<Figures> {
  const client = await Client.open(subject);
  const reported = { notifications: 0, changes: 0, bytes: 0 };
  client.onNotification = (_, { processes, printed }, bytes) => {
    reported.notifications += 1;
    for (const list of [processes, printed]) reported.changes += Array.isArray(list) ? list.length : 0;
    reported.bytes += bytes;
  };
  await client.request('console/watch', { isBrief });
  await client.request('console/look', { keys: processes.slice(0, looksAt).map(({ key }) => key) });
  await sleep(SETTLE_MS);
  const [before, beforeMs] = [{ ...reported }, performance.now()];
  const cpu = await cpuPercent(subject.pid, seconds / 2);
  const passedSeconds = (performance.now() - beforeMs) / 1000;
  const rate = (name: keyof typeof reported): number => (reported[name] - before[name]) / passedSeconds;
  client.close();
  return {
    'CPU, % of a core': cpu,
    'messages/s': rate('notifications'),
    'changes/s of each': rate('changes') / processes.length,
    'KB/s': rate('bytes') / 1000,
  };
}
