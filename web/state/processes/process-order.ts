// Order of processes: waiting, notified, unseen failures, running, finished.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { threadOf } from './process-filter.ts';
import { endedAtMs, isLive, isWaiting } from '../../../text/process-words.ts';
import { hasUnseenNotification, isUnseenFailure, type Seen } from './seen.ts';

/** Maximum number of failures at the top: more would push running processes out of view. */
export const LEADING_FAILURES = 3;

export interface InOrder {
  /** Processes by attention; within each rank, live ones by start time and finished ones by end time, newest first. */
  readonly processes: readonly ProcessInfo[];
  /** Number of processes that need attention; they come first. */
  readonly needing: number;
  /** Keys of the unseen failures after the first `needing` processes. */
  readonly moreFailed: ReadonlySet<string>;
}

/**
 * Sorts by attention: waiting, notified, a limited number of unseen failures that are the last in their thread,
 * running, finished.
 */
export function inOrder(
  processes: readonly ProcessInfo[],
  seen: Seen,
  leadingFailures = LEADING_FAILURES,
): InOrder {
  const unseen = processes.filter((info) => isUnseenFailure(info, seen));
  const leading = new Set(fairly(lastOfThreads(unseen, processes), leadingFailures).map(({ key }) => key));
  const rank = (info: ProcessInfo): number => {
    if (isWaiting(info)) return 0;
    if (hasUnseenNotification(info, seen)) return 1;
    if (leading.has(info.key)) return 2;
    return isLive(info) ? 3 : 4;
  };
  const ranked = processes
    .map((info) => ({ info, rank: rank(info), atMs: isLive(info) ? info.startedAtMs : endedAtMs(info) }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        b.atMs - a.atMs ||
        b.info.startedAtMs - a.info.startedAtMs ||
        // Processes that an agent starts at the same time still need a stable order.
        (a.info.key < b.info.key ? 1 : -1),
    );
  const needing = ranked.filter((each) => each.rank < 3);
  const above = new Set(needing.map(({ info }) => info.key));
  return {
    processes: ranked.map(({ info }) => info),
    needing: needing.length,
    moreFailed: new Set(unseen.flatMap(({ key }) => (above.has(key) ? [] : [key]))),
  };
}

/** Returns the failures without a thread, and those after which the agent started nothing else in the thread. */
function lastOfThreads(unseen: readonly ProcessInfo[], processes: readonly ProcessInfo[]): ProcessInfo[] {
  const idOf = (info: ProcessInfo): string | null => {
    const thread = threadOf(info);
    return thread === null ? null : `${info.startedBy} ${thread}`;
  };
  const latest = new Map<string | null, number>();
  for (const info of processes) {
    const id = idOf(info);
    latest.set(id, Math.max(latest.get(id) ?? 0, info.startedAtMs));
  }
  return unseen.filter((info) => {
    const id = idOf(info);
    return id === null || info.startedAtMs >= (latest.get(id) ?? 0);
  });
}

/** Returns the newest failures, taking one from each session before a second one from any. */
function fairly(unseen: readonly ProcessInfo[], most: number): ProcessInfo[] {
  const before = new Map<string, number>();
  return unseen
    .toSorted((a, b) => endedAtMs(b) - endedAtMs(a))
    .map((info) => {
      const turn = before.get(info.session) ?? 0;
      before.set(info.session, turn + 1);
      return { info, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, most)
    .map(({ info }) => info);
}

/** Returns the current items in the held order; new items are inserted before their successors. */
export function inHeldOrder<T>(held: readonly T[], now: readonly T[], idOf: (each: T) => string): T[] {
  const position = new Map(held.map((each, index) => [idOf(each), index]));
  const known = now.filter((each) => position.has(idOf(each)));
  const at = (each: T): number => position.get(idOf(each)) ?? 0;
  const before = new Map<string, T[]>();
  let waiting: T[] = [];
  for (const each of now) {
    if (!position.has(idOf(each))) {
      waiting.push(each);
    } else if (waiting.length > 0) {
      before.set(idOf(each), waiting);
      waiting = [];
    }
  }
  const still = known.toSorted((a, b) => at(a) - at(b));
  return [...still.flatMap((each) => [...(before.get(idOf(each)) ?? []), each]), ...waiting];
}
