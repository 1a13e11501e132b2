// Who uses the most: over a few seconds, so that one busy moment puts nobody at the top.
import type { Used } from './usage-feed.ts';

const SAMPLES = 3;

/** Cores busy lately; null while nothing is known. */
export function lateCpu(used: Used | undefined): number | null {
  const known = (used?.samples ?? []).slice(-SAMPLES).flatMap(({ cpu }) => (cpu === null ? [] : [cpu]));
  return known.length === 0 ? null : known.reduce((sum, cpu) => sum + cpu, 0) / known.length;
}

/** The busiest first; of those that do nothing each where it was. */
export function busiestFirst(
  keys: readonly string[],
  usedOf: (key: string) => Used | undefined,
): readonly string[] {
  return keys
    .map((key) => ({ key, cpu: lateCpu(usedOf(key)) ?? 0 }))
    .toSorted((a, b) => b.cpu - a.cpu)
    .map(({ key }) => key);
}
