// Busiest processes: averaged over a few seconds, so that one busy moment puts no process at the top.
import type { Used, UsageSample } from './usage-feed.ts';

const SAMPLES = 3;

/** Returns the recently busy cores; null while unknown. */
export function lateCpu(used: Used | undefined): number | null {
  const known = (used?.samples ?? []).slice(-SAMPLES).flatMap(({ cpu }) => (cpu === null ? [] : [cpu]));
  return known.length === 0 ? null : known.reduce((sum, cpu) => sum + cpu, 0) / known.length;
}

/**
 * True once a whole interval between two samples has passed since `before`, the newest sample of that time. The first
 * sample after `before` ends an interval that began earlier, which for a young process is mostly its start.
 */
export function hasOwnInterval(used: Used | undefined, before: UsageSample | undefined): boolean {
  const samples = used?.samples ?? [];
  const own = samples.slice(before ? samples.lastIndexOf(before) + 1 : 0);
  return own.length >= 2 && own.at(-1)?.cpu !== null;
}

/** Returns the keys, the busiest first; idle ones keep their order. */
export function busiestFirst(
  keys: readonly string[],
  usedOf: (key: string) => Used | undefined,
): readonly string[] {
  return keys
    .map((key) => ({ key, cpu: lateCpu(usedOf(key)) ?? 0 }))
    .toSorted((a, b) => b.cpu - a.cpu)
    .map(({ key }) => key);
}
