// Limits of the live logs on disk, per process and in total.

const MIB = 1024 * 1024;

/** Maximum sum of the limits of all live logs, exceeded only when each would otherwise be below LEAST_LOG_BYTES. */
export const ALL_LOGS_BYTES = 2048 * MIB;
/**
 * Largest limit on the size of one process's log. Beyond the limit of a log, its oldest segment is evicted, or an owned
 * process is paused.
 */
const LOG_BYTES = 64 * MIB;
/** Smallest limit on the size of one process's log: two segments, so that one can be evicted. */
const LEAST_LOG_BYTES = 8 * MIB;
/** Maximum result of `owedShare`. */
const OWED_BYTES = 8 * MIB;

/**
 * Amounts of unsent output above which reading from the process pauses, and below which it resumes. With more, old
 * output would still be shown long after an interrupt.
 */
export const AHEAD_BYTES = MIB;
export const AHEAD_AGAIN_BYTES = MIB / 4;

/** Returns the limit per log for `count` logs: a share of ALL_LOGS_BYTES, between LEAST_LOG_BYTES and LOG_BYTES. */
export const shareOfLogs = (count: number): number =>
  Math.max(LEAST_LOG_BYTES, Math.min(LOG_BYTES, Math.floor(ALL_LOGS_BYTES / Math.max(1, count))));

/**
 * Returns how many bytes of output, already sent to a gateway, are not evicted from a log with the limit `most`: the
 * gateway may not have delivered them to the owner.
 */
export const owedShare = (most: number): number => Math.min(OWED_BYTES, most / 4);
