// Delay before a request may be decided, so that no click or key meant for another target decides it.

/** Time for which a new or moved card takes no decision: long enough to see that it is another one. */
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
