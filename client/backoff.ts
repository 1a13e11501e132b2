// Delay before an attempt to connect: doubling, with jitter, so that many pages do not come back at once.

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/** ms before `attempt` (the first is 1), `chance` from 0 to below 1: between half and all of 0.25 s, 0.5 s, 1 s … 10 s. */
export function backoff(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 16));
  return full * (0.5 + chance / 2);
}
