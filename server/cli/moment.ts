// Parses times as people write them: how long ago (10m, 3d), a date, or a date and a time of day.
import { UsageError } from './usage-error.ts';

const UNITS: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns ms since the epoch; a date alone means its local midnight. Throws UsageError. */
export function moment(flag: string, text: string, nowMs = Date.now()): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (UNITS[unit] ?? 0);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text);
  const atMs = isDate ? Date.parse(`${text}T00:00:00`) : isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs))
    throw new UsageError(
      `${flag} ${text}: expected how long ago, such as 10m, 2h or 3d, or a date, such as 2026-11-26 or 2026-11-26T14:30`,
    );
  return atMs;
}
