// Processes on one axis of time: where the bar of each begins and ends, and the day that it belongs to.
import type { HistoryEntry } from '../../../protocol/history.ts';
import { dateTimeText } from '../../../text/amounts.ts';

export interface Axis {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Share of the axis that a bar takes at least, so that it is seen. */
const LEAST_SHARE = 0.006;

/** Time when it was known to run last: now, while it runs. */
export const endOf = (entry: HistoryEntry, nowMs: number): number =>
  entry.exitedAtMs ?? (entry.state === 'running' ? nowMs : (entry.lastOutputAtMs ?? entry.startedAtMs));

/** The time from the first start to the last end of these. */
export function axisOf(entries: readonly HistoryEntry[], nowMs: number): Axis {
  let [fromMs, toMs] = [nowMs, 0];
  for (const entry of entries) {
    fromMs = Math.min(fromMs, entry.startedAtMs);
    toMs = Math.max(toMs, endOf(entry, nowMs));
  }
  return { fromMs, toMs: Math.max(toMs, fromMs + 1) };
}

/** Start and length of a bar as shares of the axis. */
export function barOf(
  entry: HistoryEntry,
  { fromMs, toMs }: Axis,
  nowMs: number,
): { start: number; length: number } {
  const span = toMs - fromMs;
  const from = Math.max(entry.startedAtMs, fromMs);
  const to = Math.min(endOf(entry, nowMs), toMs);
  const length = Math.min(1, Math.max(LEAST_SHARE, (to - from) / span));
  return { start: Math.min(1 - length, Math.max(0, (from - fromMs) / span)), length };
}

/** The days of these in their order, each with its own. */
export function byDay(
  entries: readonly HistoryEntry[],
): readonly { readonly day: string; readonly entries: HistoryEntry[] }[] {
  const days: { day: string; entries: HistoryEntry[] }[] = [];
  for (const entry of entries) {
    const [day = ''] = dateTimeText(entry.startedAtMs).split(' ');
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
