// Interface of a search bar to the content of its pane, and the results it gets.
import type { SearchQuery } from './search-query.ts';

export interface PaneMatches {
  /** Index of the current match from 0; -1 when there is none. */
  readonly index: number;
  readonly count: number;
  /** True when there are more matches, which are not counted. */
  readonly hasMore: boolean;
  /** Number of matches in lines that a filter hides. */
  readonly hidden: number;
  /** Search in recorded lines: under way, or ended by an error; absent when there is none, or it is done. */
  readonly recorded?: 'searching' | 'failed' | undefined;
}

export const NOTHING_FOUND: PaneMatches = { index: -1, count: 0, hasMore: false, hidden: 0 };

/** Searchable content: a terminal or a log. */
export interface Searchable {
  /** Goes to the next match, for a new query from the end of the output; returns false when there is none. */
  find(query: SearchQuery, direction: 'up' | 'down', isNew?: boolean): boolean;
  clear(): void;
}
