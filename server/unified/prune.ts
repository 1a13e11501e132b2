// Chooses the session to be evicted when there are too many.

/** Maximum number of sessions per thread. */
export const MOST_SESSIONS = 64;
/** Number of most recently used sessions that are never evicted. */
const PROTECTED = 8;

export interface Candidate {
  /** Time of the last use; infinity while a person controls or has pinned the process. */
  readonly usedAt: number;
  readonly hasExited: boolean;
  /** True while a call is using the session. */
  readonly isLocked: boolean;
}

/**
 * Returns the session to be evicted for a new one: the least recently used, an exited one first; null when there is
 * room, or when no session may be evicted.
 */
export function givesWay<T extends Candidate>(sessions: readonly T[], most = MOST_SESSIONS): T | null {
  if (sessions.length < most) return null;
  const byUse = sessions.toSorted((one, other) => one.usedAt - other.usedAt).slice(0, -PROTECTED);
  const exited = byUse.filter(({ hasExited }) => hasExited);
  const free = exited.find(({ isLocked }) => !isLocked);
  if (free) return free;
  // Each exited session is locked by a call that is about to report its exit, and reporting it makes room.
  if (exited.length > 0) return null;
  return byUse.find(({ isLocked, usedAt }) => !isLocked && usedAt !== Number.POSITIVE_INFINITY) ?? null;
}
