// What happened while nobody looked at the page, summed up for when somebody does again.
import type { ActivitySince } from '../../../protocol/activity.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { newsOf, type Cause, type News } from './cause.ts';

export interface Absence {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly started: number;
  readonly ended: number;
  readonly failed: number;
  /** That still wait. */
  readonly waiting: number;
  /** Those whose notification is the newest of what they have to say. */
  readonly notified: number;
  /** Processes that a person may have to act on: by cause as in `PRESSING`, then the newest; each process once. */
  readonly news: readonly News[];
  /** Whether this is all; else it was more. */
  readonly isComplete: boolean;
}

/** The most pressing first. */
const PRESSING: readonly Cause[] = ['waits', 'notification', 'failed'];

/** Null when nothing happened that is worth a word. */
export function absenceOf(
  { entries, isComplete }: Omit<ActivitySince, 'change'>,
  infoOf: (key: string) => ProcessInfo | undefined,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): Absence | null {
  const all = entries.flatMap((entry) => newsOf(entry, infoOf(entry.key)) ?? []);
  const ended = entries.filter(({ what }) => what === 'exited');
  if (all.length === 0 && ended.length === 0) return null;
  // Each process once: that it waits, else the newest of the rest.
  const shown = new Map<string, News>();
  for (const each of all) {
    if (!PRESSING.includes(each.cause)) continue;
    if (shown.get(each.key)?.cause === 'waits' && each.cause !== 'waits') continue;
    shown.delete(each.key);
    shown.set(each.key, each);
  }
  const newestFirst = [...shown.values()].toReversed();
  const of = (cause: Cause): News[] => newestFirst.filter((each) => each.cause === cause);
  return {
    sinceMs,
    untilMs,
    started: entries.filter(({ what }) => what === 'started').length,
    ended: ended.length,
    failed: all.filter(({ cause }) => cause === 'failed').length,
    waiting: of('waits').length,
    notified: of('notification').length,
    news: PRESSING.flatMap(of),
    isComplete,
  };
}
