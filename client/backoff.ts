// Delay before reconnecting: it doubles, with jitter, so that many pages do not reconnect at once.

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/**
 * Delay in ms before `attempt` (from 1), with `chance` from 0 to below 1: 50–100 % of 0.25 s, 0.5 s, 1 s … 10
 * s.
 */
export function backoff(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 16));
  return full * (0.5 + chance / 2);
}
