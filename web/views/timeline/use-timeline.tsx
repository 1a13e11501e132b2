// State of a timeline: the visible span, and the processes in it or in the selected range.
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { isLive } from '../../../text/process-words.ts';
import { useNow } from '../../parts/use-now.tsx';
import { axisOf, endOf } from '../../state/processes/history-time.ts';
import type { HistoryState } from '../../state/processes/history-reader.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { isWithin, padded, untilNow, type TimeSpan } from '../../state/timeline/timeline-view.ts';

/** Number of processes after which none are loaded automatically for the visible span. */
const MOST_ENTRIES = 10_000;

interface Options {
  readonly state: HistoryState;
  /** Span shown by default; null shows everything from the first to the last process. */
  readonly usual: TimeSpan | null;
  readonly selection: TimeSpan | null;
  readonly more: () => void;
}

export interface TimelineState {
  readonly entries: readonly HistoryEntry[];
  /** Processes in the selected range, otherwise in the span that was zoomed or moved to, otherwise all. */
  readonly within: readonly HistoryEntry[];
  readonly view: TimeSpan;
  readonly nowMs: number;
  readonly setView: (view: TimeSpan | null) => void;
}

export function useTimeline({ state, usual, selection, more }: Options): TimelineState {
  const [chosen, setView] = useState<TimeSpan | null>(null);
  const known = useStore(processStore, ({ processes }) => processes);
  const entries = useMemo(
    () => state.entries.map((entry) => ({ ...entry, ...(isLive(entry) ? known[entry.key] : null) })),
    [state.entries, known],
  );
  const nowMs = useNow(entries.some(isLive));
  const view = useMemo(() => {
    if (chosen) return chosen;
    if (usual) return padded(usual);
    return padded(entries.length > 0 ? axisOf(entries, nowMs) : { fromMs: nowMs - 60_000, toMs: nowMs });
  }, [chosen, usual, entries, nowMs]);
  const range = selection ?? chosen;
  const within = useMemo(
    () =>
      range === null
        ? entries
        : entries.filter((entry) =>
            isWithin({ fromMs: entry.startedAtMs, toMs: endOf(entry, nowMs) }, range),
          ),
    [entries, range, nowMs],
  );
  // Earlier processes are loaded once their time becomes visible.
  const oldest = entries.at(-1);
  const isMissing =
    state.hasMore &&
    !state.isReading &&
    state.problem === null &&
    entries.length < MOST_ENTRIES &&
    chosen !== null &&
    oldest !== undefined &&
    endOf(oldest, nowMs) > chosen.fromMs;
  useEffect(() => {
    if (isMissing) more();
  }, [isMissing, more]);
  const show = (next: TimeSpan | null): void => setView(next && untilNow(next, nowMs));
  return { entries, within, view, nowMs, setView: show };
}
