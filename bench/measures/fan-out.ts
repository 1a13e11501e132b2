// Measures the latency of a line when many terminals print at intervals.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../rig/client.ts';
import type { Followed } from '../rig/followed.ts';
import type { Figures, Measure, Options, Subject } from '../rig/measure.ts';
import { cpuPercent } from '../rig/readings.ts';
import { percentile } from '../rig/statistics.ts';

const COUNTS = [50, 200];
/**
 * Interval between lines; each line is the time at which it is printed. The shell's own `read` waits between them,
 * so that no process is needed for `sleep`.
 */
const EVERY_SECONDS = 0.01;
const ARGV = ['bash', '-c', `while :; do echo T$EPOCHREALTIME; read -rt ${EVERY_SECONDS}; done`];
/** Pause between starts, for servers that can't handle many at once. */
const STAGGER_MS = 3;
const SETTLE_MS = 1000;

export const fanOut: Measure = {
  name: 'fan-out',
  about:
    '50 and 200 terminals, each with 100 lines a second: how long a line is in flight, CPU of the server',
  servers: 'all',
  async run(subject, options) {
    const figures: Record<string, number> = {};
    for (const count of COUNTS) Object.assign(figures, await watchLines(subject, options, count));
    return figures;
  },
};

async function watchLines(subject: Subject, { seconds }: Options, count: number): Promise<Figures> {
  const client = await Client.open(subject);
  let delays: number[] = [];
  const onOutput = (_: number, chunk: () => Buffer): void => {
    const now = performance.timeOrigin + performance.now();
    for (const [, at] of chunk()
      .toString('latin1')
      .matchAll(/T(\d+[.,]\d{6})\r/g))
      delays.push(now - Number(at?.replace(',', '.')) * 1000);
  };
  const printing: Followed[] = [];
  while (printing.length < count) {
    printing.push(await client.start(ARGV, { tty: true, onOutput }));
    await sleep(STAGGER_MS);
  }
  await sleep(SETTLE_MS);
  delays = [];
  const cpu = await cpuPercent(subject.pid, seconds / 2);
  const figures = {
    [`${count}: delay p50, ms`]: percentile(delays, 0.5),
    [`${count}: delay p99, ms`]: percentile(delays, 0.99),
    [`${count}: CPU of the server, % of a core`]: cpu,
    [`${count}: lines`]: delays.length,
  };
  // Processes left running would keep printing, unread, during the next count.
  await Promise.all(printing.map((process) => client.terminate(process)));
  client.close();
  return figures;
}
