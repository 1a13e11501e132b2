// Limits of what is recorded.

const MIB = 1024 * 1024;
const SECOND = 1000;

export const RECORD_LIMITS = {
  /** Bytes of one process on disk: its first ones and its newest ones stay. */
  recordProcessBytes: 256 * MIB,
  recordFirstBytes: 16 * MIB,
  /** Size at which a segment is full. */
  recordSegmentBytes: 8 * MIB,
  /** Bytes of all recordings, and their age; the oldest finished ones go first. */
  recordBytes: 10 * 1024 * MIB,
  recordAgeMs: 30 * 24 * 60 * 60 * SECOND,
  /** Free bytes of the disk below which nothing is recorded, or this share of it when that is less. */
  recordFreeBytes: 2 * 1024 * MIB,
  recordFreeShare: 0.05,
  /** Output in memory that is not written yet, over all processes; more is not recorded, and counted. */
  recordQueueBytes: 32 * MIB,
  /** Output in memory over which processes that print more are held back, until no more than the second is left. */
  recordHoldBytes: 16 * MIB,
  recordResumeBytes: 8 * MIB,
  /** Time for which a disk that takes nothing holds processes back. */
  recordHoldMs: 5 * SECOND,
  /** Time for which output is gathered before it is written: a gateway that is killed loses so much. */
  recordFlushMs: 50,
  /** Segments that are open at once. */
  recordOpenFiles: 32,
  /** Interval of checks of age, size and free disk. */
  recordLookMs: 60 * SECOND,
} as const;

export type RecordLimits = { readonly [name in keyof typeof RECORD_LIMITS]: number };
