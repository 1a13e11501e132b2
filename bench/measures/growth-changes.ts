// What a page that sees nothing of it is told while everything prints: at most what a person can read, however much happens.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../client.ts';
import { Crowd } from '../crowd.ts';
import type { Measure } from '../measure.ts';
import { ticking } from '../programs.ts';
import { cpuPercent } from '../readings.ts';

const COUNTS = [10, 100, 1000];
const TICK_SECONDS = 0.5;
const SETTLE_MS = 3000;

export const growthChanges: Measure = {
  name: 'growth-changes',
  about: '10, 100 and 1000 terminals that print twice a second: what one watcher of the console is told',
  servers: 'console',
  async run(subject, { seconds }) {
    const watcher = await Client.open(subject);
    const told = { notifications: 0, processes: 0, bytes: 0 };
    watcher.onNotification = (_, { processes, printed }, bytes) => {
      told.notifications += 1;
      for (const list of [processes, printed]) told.processes += Array.isArray(list) ? list.length : 0;
      told.bytes += bytes;
    };
    await watcher.request('console/watch', { isBrief: true });
    const figures: Record<string, number> = {};
    const crowd = new Crowd(subject);
    for (const count of COUNTS) {
      await crowd.growTo(count, ticking(TICK_SECONDS));
      await sleep(SETTLE_MS);
      const [before, beforeMs] = [{ ...told }, performance.now()];
      figures[`${count}: CPU, % of a core`] = await cpuPercent(subject.pid, seconds / 2);
      const passedSeconds = (performance.now() - beforeMs) / 1000;
      const rate = (name: keyof typeof told): number => (told[name] - before[name]) / passedSeconds;
      figures[`${count}: messages/s`] = rate('notifications');
      figures[`${count}: changes/s of each`] = rate('processes') / count;
      figures[`${count}: KB/s`] = rate('bytes') / 1000;
    }
    crowd.close();
    watcher.close();
    return figures;
  },
};
