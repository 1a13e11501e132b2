// Limits of the live logs on disk: of one process, and of all of them together.

const MIB = 1024 * 1024;

/** Limit of all live logs together. */
export const ALL_LOGS_BYTES = 2048 * MIB;
/** Limit of one process's log: beyond it the oldest is dropped, or, while it is owned, the process held back. */
const LOG_BYTES = 64 * MIB;
/** Limit of one process's log among however many: two segments, of which one can be dropped. */
const LEAST_LOG_BYTES = 8 * MIB;
/** Output that was sent to a gateway and is kept all the same, as long as its owner may come back for it. */
const OWED_BYTES = 8 * MIB;

/** Limit of each log while there are so many: as many as the keeper may have keep within that of all. */
export const shareOfLogs = (count: number): number =>
  Math.max(LEAST_LOG_BYTES, Math.min(LOG_BYTES, Math.floor(ALL_LOGS_BYTES / Math.max(1, count))));

/** Returns the part of a log of `most` bytes that is kept for an owner who may have missed what a gateway was sent. */
export const owedShare = (most: number): number => Math.min(OWED_BYTES, most / 4);
