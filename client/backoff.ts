// Delay before reconnecting: it doubles, with jitter, so that many pages do not reconnect at once.

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/**
 * Returns the delay in ms before `attempt` (from 1): 50 to 100 %, depending on `chance` (from 0 to below 1), of 0.25 s,
 * doubled with each attempt up to 10 s.
 */
export function backoff(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 16));
  return full * (0.5 + chance / 2);
}
