// What happened while nobody looked at the page, summed up for when somebody does again.
import type { ActivitySince } from '../../server/protocol/activity.ts';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { newsOf, type News } from './cause.ts';

export interface Absence {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly started: number;
  readonly ended: number;
  readonly failed: number;
  /** That still wait. */
  readonly waiting: number;
  /** What a person may have to do something about, the newest first, each process once. */
  readonly news: readonly News[];
  /** Whether this is all; else it was more. */
  readonly isComplete: boolean;
}

/** What is listed; the rest is only counted. */
const MOST_NEWS = 5;

/** Null when nothing happened that is worth a word. */
export function absenceOf(
  { entries, isComplete }: Omit<ActivitySince, 'change'>,
  infoOf: (key: string) => ProcessInfo | undefined,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): Absence | null {
  const all = entries.flatMap((entry) => newsOf(entry, infoOf(entry.key)) ?? []);
  const ended = entries.filter(({ what }) => what === 'exited');
  if (all.length === 0 && ended.length === 0) return null;
  const pressing = all.filter(
    ({ cause }) => cause === 'failed' || cause === 'waits' || cause === 'notification',
  );
  const newest = pressing
    .toReversed()
    .filter(({ key }, index, newestFirst) => newestFirst.findIndex((each) => each.key === key) === index);
  return {
    sinceMs,
    untilMs,
    started: entries.filter(({ what }) => what === 'started').length,
    ended: ended.length,
    failed: all.filter(({ cause }) => cause === 'failed').length,
    waiting: new Set(all.filter(({ cause }) => cause === 'waits').map(({ key }) => key)).size,
    news: newest.slice(0, MOST_NEWS),
    isComplete,
  };
}
