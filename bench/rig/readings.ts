// Reads memory and CPU time of a server, which may be a gateway with a keeper, and the load of the machine.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Clock ticks per second in `/proc`; the same on every current Linux. */
const TICKS_PER_SECOND = 100;

export function childrenOf(pid: number): number[] {
  const line = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return line === '' ? [] : line.split(' ').map(Number);
}

/** Returns true for the keeper of a built gateway. */
export function isKeeper(pid: number): boolean {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    return argv.some((word) => word.endsWith('/keeper.js'));
  } catch {
    return false; // The process has ended.
  }
}

/** Returns the resident memory in MB, including the keeper's. */
export const memoryMb = (pid: number): number => sumOf(pid, residentMb);

/** Returns the CPU time used so far by all threads, including the keeper's but no other children's. */
export const cpuSeconds = (pid: number): number => sumOf(pid, ownCpuSeconds);

const sumOf = (pid: number, read: (pid: number) => number): number =>
  [pid, ...childrenOf(pid).filter(isKeeper)].reduce((sum, each) => sum + read(each), 0);

function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return (Number(kib) * 1024) / 1e6;
}

function ownCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // Fields are counted from the last parenthesis, because the name in parentheses may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the memory at rest in MB: the minimum of the readings within a second. */
export async function restingMemoryMb(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 5; look += 1) {
    await sleep(200);
    least = Math.min(least, memoryMb(pid));
  }
  return least;
}

/** Returns the CPU use over this time, including the keeper's, in percent of a core. */
export async function cpuPercent(pid: number, seconds: number): Promise<number> {
  const [cpuBefore, before] = [cpuSeconds(pid), performance.now()];
  await sleep(seconds * 1000);
  return ((cpuSeconds(pid) - cpuBefore) / ((performance.now() - before) / 1000)) * 100;
}

/** Returns the busy share of all cores during half a second: 0 on an idle machine. */
export async function busyShare(): Promise<number> {
  const before = times();
  await sleep(500);
  const after = times();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

function times(): { idle: number; all: number } {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, all };
}
