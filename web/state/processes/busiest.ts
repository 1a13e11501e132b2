// Who uses the most: over a few seconds, so that one busy moment puts nobody at the top.
import type { Used, UsageSample } from './usage-feed.ts';

const SAMPLES = 3;

/** Cores busy lately; null while nothing is known. */
export function lateCpu(used: Used | undefined): number | null {
  const known = (used?.samples ?? []).slice(-SAMPLES).flatMap(({ cpu }) => (cpu === null ? [] : [cpu]));
  return known.length === 0 ? null : known.reduce((sum, cpu) => sum + cpu, 0) / known.length;
}

/**
 * True once a whole interval between two samples has passed since `before`, the newest sample of that time. The sample after it
 * ends an interval that began earlier, which of a young process is mostly its start.
 */
export function hasOwnInterval(used: Used | undefined, before: UsageSample | undefined): boolean {
  const samples = used?.samples ?? [];
  const own = samples.slice(before ? samples.lastIndexOf(before) + 1 : 0);
  return own.length >= 2 && own.at(-1)?.cpu !== null;
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
