// The moment from which a request may be decided: not while it has just come to where a person already points or presses.

/** Time for which a card that is new, or in a new place, takes no decision: long enough to see that it is another one. */
const SETTLES_MS = 400;

let rowsMovedAtMs = Number.NEGATIVE_INFINITY;
const movedAtMs = new Map<string, number>();

/** Notes that the request has just appeared, or has taken another place. */
export function moved(id: string): void {
  movedAtMs.set(id, performance.now());
}

/** Notes that a request is gone: another row may have its place, and its focus. */
export function rowsMoved(): void {
  rowsMovedAtMs = performance.now();
}

/** True when a decision on a row counts. */
export const areRowsSettled = (): boolean => performance.now() - rowsMovedAtMs >= SETTLES_MS;

/** Milliseconds until a decision counts; 0: it counts. */
export function settlesInMs(id: string): number {
  const since = movedAtMs.get(id);
  if (since === undefined) return 0;
  const left = since + SETTLES_MS - performance.now();
  if (left > 0) return left;
  movedAtMs.delete(id);
  return 0;
}
