// Counts of processes by status, and of those that need attention.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { isWaiting, statusOf } from '../../../text/process-words.ts';
import { hasUnseenNotification, isUnseenFailure, type Seen } from './seen.ts';
import { numberText } from '../../../text/amounts.ts';

/** Counts by status; a process that is waiting for input or approval counts only as waiting. */
export interface StatusCounts {
  readonly waiting: number;
  readonly failed: number;
  readonly running: number;
  readonly succeeded: number;
  readonly stopped: number;
  readonly lost: number;
}

/** Counts of the list; `left`: running processes whose agent has disconnected, which are also counted by status. */
export interface ListedCounts extends StatusCounts {
  readonly left: number;
}

export function statusCounts(processes: readonly ProcessInfo[]): StatusCounts {
  const counts = { waiting: 0, failed: 0, running: 0, succeeded: 0, stopped: 0, lost: 0 };
  for (const info of processes) {
    const status = statusOf(info);
    if (isWaiting(info) || status === 'waiting-for-approval') counts.waiting += 1;
    else if (status === 'starting' || status === 'running' || status === 'terminating') counts.running += 1;
    else counts[status] += 1;
  }
  return counts;
}

/** Counts of processes that need attention; each is counted once, for its most urgent reason. */
export interface NeededCounts {
  readonly waiting: number;
  readonly notified: number;
  readonly failed: number;
}

export function neededCounts(processes: readonly ProcessInfo[], seen: Seen): NeededCounts {
  const counts = { waiting: 0, notified: 0, failed: 0 };
  for (const info of processes) {
    if (isWaiting(info)) counts.waiting += 1;
    else if (hasUnseenNotification(info, seen)) counts.notified += 1;
    else if (isUnseenFailure(info, seen)) counts.failed += 1;
  }
  return counts;
}

/** Returns for example `3 waiting`; null when there are none. */
export const countText = (count: number, word: string): string | null =>
  count === 0 ? null : `${numberText(count)} ${word}`;
