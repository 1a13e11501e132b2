// How many there are of what a person asks for first.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { isWaiting, isLive, statusOf } from './process-status.ts';

/** What waits runs too, but is counted once. */
export interface StatusCounts {
  readonly waiting: number;
  readonly failed: number;
  readonly running: number;
  readonly succeeded: number;
  readonly stopped: number;
}

export function statusCounts(processes: readonly ProcessInfo[]): StatusCounts {
  const counts = { waiting: 0, failed: 0, running: 0, succeeded: 0, stopped: 0 };
  for (const info of processes) {
    const status = statusOf(info);
    if (isLive(info)) counts[isWaiting(info) ? 'waiting' : 'running'] += 1;
    if (status === 'failed' || status === 'succeeded' || status === 'stopped') counts[status] += 1;
  }
  return counts;
}

/** Null when none does. */
export const waitText = (waiting: number): string | null =>
  waiting === 0 ? null : `${waiting} ${waiting === 1 ? 'waits' : 'wait'}`;
