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
  /** What a person may have to do something about: what waits first, then the newest; each process once. */
  readonly news: readonly News[];
  /** Whether this is all; else it was more. */
  readonly isComplete: boolean;
}

const PRESSING: readonly Cause[] = ['waits', 'failed', 'notification'];

/** Null when nothing happened that is worth a word. */
export function absenceOf(
  { entries, isComplete }: Omit<ActivitySince, 'change'>,
  infoOf: (key: string) => ProcessInfo | undefined,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): Absence | null {
  const all = entries.flatMap((entry) => newsOf(entry, infoOf(entry.key)) ?? []);
  const ended = entries.filter(({ what }) => what === 'exited');
  if (all.length === 0 && ended.length === 0) return null;
  // Each process once, by the newest that is told of it.
  const newest = new Map<string, News>();
  for (const each of all) {
    if (!PRESSING.includes(each.cause)) continue;
    newest.delete(each.key);
    newest.set(each.key, each);
  }
  const pressing = [...newest.values()].toReversed();
  return {
    sinceMs,
    untilMs,
    started: entries.filter(({ what }) => what === 'started').length,
    ended: ended.length,
    failed: all.filter(({ cause }) => cause === 'failed').length,
    waiting: new Set(all.filter(({ cause }) => cause === 'waits').map(({ key }) => key)).size,
    news: [
      ...pressing.filter(({ cause }) => cause === 'waits'),
      ...pressing.filter(({ cause }) => cause !== 'waits'),
    ],
    isComplete,
  };
}
