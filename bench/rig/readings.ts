// What the system knows of a process: its memory, its CPU time; and how busy the machine is.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ticks of `/proc` in a second: fixed for every Linux of today. */
const TICKS_PER_SECOND = 100;

/** Resident, in MB. */
export function memoryMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return (Number(kib) * 1024) / 1e6;
}

/** Used so far by all its threads, not by its children. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name in parentheses may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The memory once it has come to rest: the least of what is seen within a second. */
export async function restingMemoryMb(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 5; look += 1) {
    await sleep(200);
    least = Math.min(least, memoryMb(pid));
  }
  return least;
}

/** Cores that a process keeps busy over this time, in percent of one. */
export async function cpuPercent(pid: number, seconds: number): Promise<number> {
  const [cpuBefore, before] = [cpuSeconds(pid), performance.now()];
  await sleep(seconds * 1000);
  return ((cpuSeconds(pid) - cpuBefore) / ((performance.now() - before) / 1000)) * 100;
}

/** What share of all cores was busy over a moment: 0 on a quiet machine. */
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
