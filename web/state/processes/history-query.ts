// Filters and search of the history dialog.
import { createStore } from 'zustand/vanilla';
import type { Axis } from './history-time.ts';
import type { HistoryFilter } from './history-reader.ts';
import { NO_QUERY, type SearchQuery } from './search-query.ts';

export interface HistoryQuery extends SearchQuery {
  /** Beginning of the last ten minutes, fixed when that filter was chosen; null for any time. */
  readonly sinceMs: number | null;
  readonly isFailed: boolean;
  /** Name of the agent or person; empty for all. */
  readonly agent: string;
  /** Path of the folder; empty for all. */
  readonly folder: string;
  /** Range selected on the timeline; null when none is selected. */
  readonly range: Axis | null;
}

/** Length of the time that the filter `Last 10m` selects. */
export const LAST_MS = 10 * 60_000;

const EVERYTHING: HistoryQuery = {
  ...NO_QUERY,
  sinceMs: null,
  isFailed: false,
  agent: '',
  folder: '',
  range: null,
};

export const historyQuery = createStore<HistoryQuery>(() => EVERYTHING);

export const resetHistoryQuery = (): void => historyQuery.setState(EVERYTHING);

/**
 * Returns the filter for requests. It includes the range only during a search; without a search text, the dialog
 * itself selects the rows in the range.
 */
export function filterOf({
  text,
  sinceMs,
  isFailed,
  agent,
  folder,
  range,
}: Omit<HistoryQuery, keyof SearchQuery> & Pick<SearchQuery, 'text'>): HistoryFilter {
  const fromMs = text === '' || range === null ? sinceMs : Math.max(sinceMs ?? 0, Math.floor(range.fromMs));
  return {
    ...(fromMs !== null && { sinceMs: fromMs }),
    ...(text !== '' && range !== null && { untilMs: Math.ceil(range.toMs) }),
    ...(isFailed && { failed: true }),
    ...(agent !== '' && { agent }),
    ...(folder !== '' && { folder }),
  };
}
