// Worker thread that samples the system's process table at intervals, only while usage is requested.
import { parentPort, workerData } from 'node:worker_threads';
import { procPids, procStat } from '../host/proc-stat.ts';
import { listeningPorts, type ListeningPort } from './listening-ports.ts';
import { Sampler, type SessionUsage, type Wanted } from './sampler.ts';
import type { UsageLimits } from './usage.ts';

/** Length of a pause, in intervals, after which measuring starts over. */
const STALE_LOOKS = 5;

const { usageMs, portsMs, pageBytes } = workerData as UsageLimits & { readonly pageBytes: number };
let sampler = new Sampler(pageBytes);
let wanted: Wanted = { leaders: new Set(), trees: new Set() };
let ports: ReadonlyMap<number, readonly ListeningPort[]> = new Map();
let portsAtMs = Number.NEGATIVE_INFINITY;
let lookedAtMs = Number.NEGATIVE_INFINITY;
let timer: NodeJS.Timeout | null = null;

parentPort?.on('message', (now: Wanted) => {
  wanted = now;
  const { leaders } = wanted;
  if (leaders.size > 0) timer ??= setTimeout(look, Math.max(0, lookedAtMs + usageMs - performance.now()));
  else if (timer) clearTimeout(timer);
  if (leaders.size === 0) timer = null;
});

function look(): void {
  const now = performance.now();
  // A sample from before the pause would yield an average over the pause.
  if (now - lookedAtMs > STALE_LOOKS * usageMs) sampler = new Sampler(pageBytes);
  lookedAtMs = now;
  const all = procPids().flatMap((pid) => procStat(pid) ?? []);
  if (lookedAtMs - portsAtMs >= portsMs) {
    portsAtMs = lookedAtMs;
    ports = listeningPorts(all.filter(({ session }) => wanted.leaders.has(session)).map(({ pid }) => pid));
  }
  const usages: readonly SessionUsage[] = sampler.sample(wanted, all, ports, lookedAtMs);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(usages);
  timer = setTimeout(look, usageMs);
}
