// State of a process in a session, with the output that its owner has not received.
import type { EventFrames } from '../delivery/frames.ts';
import type { CatchUp } from '../keeper/catch-up.ts';
import type { Hold, ProcessControl } from '../keeper/process-view.ts';
import type { OwnerFollower } from '../delivery/owner-follower.ts';

export interface Owned {
  readonly process: ProcessControl;
  readonly frames: EventFrames;
  readonly endsWithConnection: boolean;
  /** True when output ended so late after the exit that the client may not have waited for it. */
  hasOutlived: boolean;
  follower: OwnerFollower | null;
  catchUp: CatchUp | null;
  /** True for a process of an earlier gateway whose owner may not have received all output. */
  isOwed: boolean;
  /** Hold that retains the owed output until the owner resumes its session. */
  untilResumed: Hold | null;
  forget: NodeJS.Timeout | null;
}

/** Returns true when a process will have no more events. */
export const isOver = (process: ProcessControl): boolean => process.isClosed || process.isLost;

/**
 * Returns true for a running process that ends with its connection. An exited one does not, because other
 * readers may still need output of its background jobs.
 */
export const isEndedByLoss = ({ process, endsWithConnection }: Owned): boolean =>
  endsWithConnection && process.exit === null;

/** Returns true while the owner has not caught up with the output that it is owed. */
export const isStillOwed = ({ isOwed, catchUp }: Owned): boolean => isOwed && catchUp?.isOver !== true;

/** Retains everything in the log of a process, and pauses the process when it prints much more. */
export const holdAll = (process: ProcessControl): Hold =>
  process.hold(process.log.firstSeq, process.log.totalBytes);
