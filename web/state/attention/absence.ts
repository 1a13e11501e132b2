// Summary of the time in which nobody viewed the page, for the person who returns.
import type { ActivitySince } from '../../../protocol/activity.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { attentionItemOf, type Cause, type AttentionItem } from './cause.ts';

export interface Absence {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly started: number;
  readonly ended: number;
  readonly failed: number;
  /** Number of processes that are still waiting. */
  readonly waiting: number;
  /** Number of processes that sent a notification, except those that are waiting or that failed later. */
  readonly notified: number;
  /** Processes that may need a person, once each: by cause in the order of `PRESSING`, then newest first. */
  readonly items: readonly AttentionItem[];
  /** True when all activity of that time is known; false when there was more. */
  readonly isComplete: boolean;
}

/** Causes that may need a person, most urgent first. */
const PRESSING: readonly Cause[] = ['waits', 'notification', 'failed'];

/** Returns the summary; null when no process ended, rang its bell, sent a notification or is still waiting. */
export function absenceOf(
  { entries, isComplete }: Omit<ActivitySince, 'change'>,
  infoOf: (key: string) => ProcessInfo | undefined,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): Absence | null {
  const all = entries.flatMap((entry) => attentionItemOf(entry, infoOf(entry.key)) ?? []);
  const ended = entries.filter(({ what }) => what === 'exited');
  if (all.length === 0 && ended.length === 0) return null;
  // Each process is listed once: as waiting, otherwise by the latest of these causes.
  const shown = new Map<string, AttentionItem>();
  for (const each of all) {
    if (!PRESSING.includes(each.cause)) continue;
    if (shown.get(each.key)?.cause === 'waits' && each.cause !== 'waits') continue;
    shown.delete(each.key);
    shown.set(each.key, each);
  }
  const newestFirst = [...shown.values()].toReversed();
  const of = (cause: Cause): AttentionItem[] => newestFirst.filter((each) => each.cause === cause);
  return {
    sinceMs,
    untilMs,
    started: entries.filter(({ what }) => what === 'started').length,
    ended: ended.length,
    failed: all.filter(({ cause }) => cause === 'failed').length,
    waiting: of('waits').length,
    notified: of('notification').length,
    items: PRESSING.flatMap(of),
    isComplete,
  };
}
