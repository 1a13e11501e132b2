// Limits on recordings.

const MIB = 1024 * 1024;
const SECOND = 1000;

export const RECORD_LIMITS = {
  /** Maximum bytes on disk per process, and how many of its first bytes are retained besides the newest. */
  recordProcessBytes: 256 * MIB,
  recordFirstBytes: 16 * MIB,
  recordSegmentBytes: 8 * MIB,
  /** Maximum size of all recordings, and age of each; the oldest finished ones are removed first. */
  recordBytes: 10 * 1024 * MIB,
  recordAgeMs: 30 * 24 * 60 * 60 * SECOND,
  /** Minimum free disk space, in bytes or as a share if that is less; below it no output is recorded. */
  recordFreeBytes: 2 * 1024 * MIB,
  recordFreeShare: 0.05,
  /** Maximum bytes of unwritten output in memory, over all processes; more is dropped and counted. */
  recordQueueBytes: 32 * MIB,
  /** Bytes of unwritten output above which processes are paused, and those below which they continue. */
  recordHoldBytes: 16 * MIB,
  recordResumeBytes: 8 * MIB,
  /** Maximum duration of a pause while no output leaves the queue. */
  recordHoldMs: 5 * SECOND,
  /** Time for which output is collected before a write; this output may be lost if the gateway is killed. */
  recordFlushMs: 50,
  /** Maximum number of open segments. */
  recordOpenFiles: 32,
  /** Delay before finished segments are indexed and sealed, and between checks of whether the machine is busy. */
  recordIndexMs: 5 * SECOND,
  /**
   * Load per core above which no segment is indexed or sealed; `Infinity` removes this limit, and the low priority of
   * the indexing thread.
   */
  recordIndexLoad: 1,
  /** Interval between checks of age, size and free disk space. */
  recordLookMs: 60 * SECOND,
  /** Interval between checks of disk space while it is low, and between attempts to write the ends of recordings. */
  recordLowLookMs: SECOND,
} as const;

export type RecordLimits = { readonly [name in keyof typeof RECORD_LIMITS]: number };
