// Delay before a request may be decided, so that no click or key meant for another target decides it.

/** Time for which a new or moved card takes no decision: long enough to see that it is another one. */
export const SETTLES_MS = 400;

interface Standing {
  /** Index among the cards. */
  readonly place: number;
  readonly sinceMs: number;
}

const standing = new Map<string, Standing>();
let rowsMovedAtMs = Number.NEGATIVE_INFINITY;

/** Notes where the card of the request stands; a new card, or one in another place, has to settle. */
export function stands(id: string, place: number): void {
  if (standing.get(id)?.place !== place) standing.set(id, { place, sinceMs: performance.now() });
}

/** Lets the card of the request settle once more, where it is. */
export function settleAgain(id: string): void {
  const place = standing.get(id)?.place ?? 0;
  standing.set(id, { place, sinceMs: performance.now() });
}

export function forgetStanding(id: string): void {
  standing.delete(id);
}

/** Notes that a request has come or gone: another row may have its place, and its focus. */
export function rowsMoved(): void {
  rowsMovedAtMs = performance.now();
}

/** True when a decision on a row counts. */
export const areRowsSettled = (): boolean => performance.now() - rowsMovedAtMs >= SETTLES_MS;

/** Milliseconds until a decision on the card of the request counts; 0: it counts. */
export function settlesInMs(id: string): number {
  const since = standing.get(id)?.sinceMs ?? Number.NEGATIVE_INFINITY;
  return Math.max(0, since + SETTLES_MS - performance.now());
}
