// Processes by CPU load, which is averaged over a few seconds so that a brief peak puts no process at the top.
import type { Used, UsageSample } from './usage-feed.ts';

const SAMPLES = 3;

/** Returns the recent CPU load in cores; null while unknown. */
export function lateCpu(used: Used | undefined): number | null {
  const known = (used?.samples ?? []).slice(-SAMPLES).flatMap(({ cpu }) => (cpu === null ? [] : [cpu]));
  return known.length === 0 ? null : known.reduce((sum, cpu) => sum + cpu, 0) / known.length;
}

/**
 * True once two samples have arrived after `before`, the latest sample when measuring began, and the newest load is
 * known. The interval of the first of them began before the measurement and, for a young process, mostly covers its
 * startup.
 */
export function hasOwnInterval(used: Used | undefined, before: UsageSample | undefined): boolean {
  const samples = used?.samples ?? [];
  const own = samples.slice(before ? samples.lastIndexOf(before) + 1 : 0);
  return own.length >= 2 && own.at(-1)?.cpu !== null;
}

/**
 * Returns the keys, busiest first; equally busy ones keep their order, and an unknown load counts as idle.
 */
export function busiestFirst(
  keys: readonly string[],
  usedOf: (key: string) => Used | undefined,
): readonly string[] {
  return keys
    .map((key) => ({ key, cpu: lateCpu(usedOf(key)) ?? 0 }))
    .toSorted((a, b) => b.cpu - a.cpu)
    .map(({ key }) => key);
}
