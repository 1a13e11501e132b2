// Delay before a request may be decided, so that no click or key meant for another element decides it.

/** Time for which a new or moved card accepts no decision: long enough to notice the change. */
export const SETTLES_MS = 400;

interface Standing {
  /** Index of the card among all cards. */
  readonly place: number;
  readonly sinceMs: number;
}

const standing = new Map<string, Standing>();
let rowsMovedAtMs = Number.NEGATIVE_INFINITY;

/** Records the position of the request's card; a new or moved card has to settle. */
export function stands(id: string, place: number): void {
  if (standing.get(id)?.place !== place) standing.set(id, { place, sinceMs: performance.now() });
}

/** Makes the card of the request settle again in its place. */
export function settleAgain(id: string): void {
  const place = standing.get(id)?.place ?? 0;
  standing.set(id, { place, sinceMs: performance.now() });
}

export function forgetStanding(id: string): void {
  standing.delete(id);
}

/** Records that a request was added or removed, since another row may now have its place and focus. */
export function rowsMoved(): void {
  rowsMovedAtMs = performance.now();
}

/** Returns true when a decision on a row would take effect now. */
export const areRowsSettled = (): boolean => performance.now() - rowsMovedAtMs >= SETTLES_MS;

/** Returns the milliseconds until a decision on the request's card takes effect; 0 when it does now. */
export function settlesInMs(id: string): number {
  const since = standing.get(id)?.sinceMs ?? Number.NEGATIVE_INFINITY;
  return Math.max(0, since + SETTLES_MS - performance.now());
}

/**
 * Restarts the delay when a key is pressed on the request too early; call this before the key takes effect. Such a
 * key was meant for another element, as were the keys that follow it without a pause, such as a message typed after
 * an ignored `n`.
 */
export function keyCame({ id, isInCard }: { readonly id: string; readonly isInCard: boolean }): void {
  if (isInCard) {
    if (settlesInMs(id) > 0) settleAgain(id);
  } else if (!areRowsSettled()) rowsMoved();
}
