// Limits of what is recorded.
export interface RecordLimits {
  /** Bytes of one process on disk: its first ones and its newest ones stay. */
  readonly recordProcessBytes: number;
  readonly recordFirstBytes: number;
  /** Size at which a segment is full. */
  readonly recordSegmentBytes: number;
  /** Bytes of all recordings, and their age; the oldest finished ones go first. */
  readonly recordBytes: number;
  readonly recordAgeMs: number;
  /** Free bytes of the disk below which nothing is recorded, or this share of it when that is less. */
  readonly recordFreeBytes: number;
  readonly recordFreeShare: number;
  /** Output in memory that is not written yet, over all processes; more is not recorded, and counted. */
  readonly recordQueueBytes: number;
  /** Time for which output is gathered before it is written. */
  readonly recordFlushMs: number;
  /** Segments that are open at once. */
  readonly recordOpenFiles: number;
  /** Interval of checks of age, size and free disk. */
  readonly recordLookMs: number;
}
