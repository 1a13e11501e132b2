// Remaining lifetime in words, in a single unit, since more precision is of no use.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Tolerance for clock differences. */
const MOMENT_MS = 2000;

/** Returns for example `less than a minute`, `58 min`, `7 h` or `6 days`; rounded up. */
export function timeLeft(ms: number): string {
  if (ms < MINUTE_MS) return '<1m';
  if (ms <= HOUR_MS + MOMENT_MS) return `${inAll(ms, MINUTE_MS)}m`;
  if (ms <= DAY_MS + MOMENT_MS) return `${inAll(ms, HOUR_MS)}h`;
  return `${inAll(ms, DAY_MS)}d`;
}

const inAll = (ms: number, unitMs: number): number => Math.ceil((ms - MOMENT_MS) / unitMs);
