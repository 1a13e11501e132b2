// Options of a recorder.
import type { RecordLimits } from './limits.ts';
import type { OpenNote } from './recover.ts';

export interface RecorderOptions {
  /** Folder of all recordings; created if missing. */
  readonly root: string;
  readonly limits: RecordLimits;
  /**
   * Returns the PID and the start time of the program in which the processes run, so that another gateway with the same
   * folder does not finish their recordings.
   */
  readonly owner: () => OpenNote['owner'];
  /** Returns true while the program `owner` runs. */
  readonly isRunning: (owner: OpenNote['owner']) => boolean;
  /** Returns true for a process that this gateway takes over and records further; its recording is not finished. */
  readonly isHeld: (key: string) => boolean;
  /** Called with the reason why output is not recorded, and with null when recording works again. */
  readonly failed: (reason: string | null) => void;
}
