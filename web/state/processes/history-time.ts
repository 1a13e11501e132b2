// Processes on a common time axis: start and length of each bar, and processes by day.
import type { HistoryEntry } from '../../../protocol/history.ts';
import { dateTimeText } from '../../../text/amounts.ts';

export interface Axis {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Minimum length of a bar as a fraction of the axis, so that it is visible. */
const LEAST_SHARE = 0.006;

/**
 * Returns the time of the exit; `nowMs` while the process is running. If the exit is unknown, returns the time of the
 * last output or, without any, of the start.
 */
export const endOf = (entry: HistoryEntry, nowMs: number): number =>
  entry.exitedAtMs ?? (entry.state === 'running' ? nowMs : (entry.lastOutputAtMs ?? entry.startedAtMs));

/** Returns an axis from the first start to the last end of the entries, at least 1 ms long. */
export function axisOf(entries: readonly HistoryEntry[], nowMs: number): Axis {
  let [fromMs, toMs] = [nowMs, 0];
  for (const entry of entries) {
    fromMs = Math.min(fromMs, entry.startedAtMs);
    toMs = Math.max(toMs, endOf(entry, nowMs));
  }
  return { fromMs, toMs: Math.max(toMs, fromMs + 1) };
}

/** Returns start and length of a bar as fractions of the axis. */
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

/** Groups consecutive entries that started on the same day; the order of the entries remains. */
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
