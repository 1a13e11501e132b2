// Parses lifetimes as people write them: 30m, 12h or 90d.
import { UsageError } from './usage-error.ts';

const UNITS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the duration in ms; throws UsageError for an invalid one, with a message that ends in `others`. */
export function timeToLive(text: string, others = ''): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new UsageError(`--expires ${text}: expected a duration, such as 30m, 12h or 7d${others}`);
  return Number(count) * (UNITS[unit] ?? 0);
}
