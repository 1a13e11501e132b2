// The choice of the session that gives way when there are too many.

/** Most sessions of one thread. */
export const MOST_SESSIONS = 64;
/** The most recently used ones, which never give way. */
const PROTECTED = 8;

export interface Candidate {
  /** Time of the last use; Infinity while a person is busy with it. */
  readonly usedAt: number;
  readonly hasExited: boolean;
  /** True while a call is at work on it. */
  readonly isLocked: boolean;
}

/**
 * Returns the session that gives way to a new one: the one whose use is longest ago, an exited one first; null when none
 * has to, or none may.
 */
export function givesWay<T extends Candidate>(sessions: readonly T[], most = MOST_SESSIONS): T | null {
  if (sessions.length < most) return null;
  const byUse = sessions.toSorted((one, other) => one.usedAt - other.usedAt).slice(0, -PROTECTED);
  const exited = byUse.filter(({ hasExited }) => hasExited);
  const free = exited.find(({ isLocked }) => !isLocked);
  if (free) return free;
  // The locked one is about to be reported, which makes room.
  if (exited.length > 0) return null;
  return byUse.find(({ isLocked, usedAt }) => !isLocked && usedAt !== Number.POSITIVE_INFINITY) ?? null;
}
