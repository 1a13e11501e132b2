// Interface between a search bar and the content of its pane, and the search results.
import type { SearchQuery } from './search-query.ts';

export interface PaneMatches {
  /** Index of the current match, starting at 0; -1 when there is none. */
  readonly index: number;
  readonly count: number;
  /** True when there are further matches that were not counted. */
  readonly hasMore: boolean;
  /** Number of matches in lines that a filter hides. */
  readonly hidden: number;
  /** State of the search in recorded lines: running or failed; undefined when there is none or it is complete. */
  readonly recorded?: 'searching' | 'failed' | undefined;
  /** Fraction of the recorded lines searched so far, from 0 to 1. */
  readonly searched?: number | undefined;
  /** True when a part of the recorded lines could not be read; undefined otherwise. */
  readonly hasUnread?: true | undefined;
  /** True when there are earlier lines that this reader cannot search; undefined otherwise. */
  readonly hasUnsearched?: true | undefined;
}

/** Suffix of a search result that may be incomplete, because some recordings could not be read. */
export const UNREAD_TEXT = ' · some recordings could not be read';

/** Suffix of a search result that covers only the lines in memory, although there were earlier ones. */
export const UNSEARCHED_TEXT = ' · earlier lines were not searched';

export const NOTHING_FOUND: PaneMatches = { index: -1, count: 0, hasMore: false, hidden: 0 };

/** Searchable content: a terminal or a log. */
export interface Searchable {
  /**
   * Goes to the next match in this direction; `isNew` is true for a new query, which does not continue from the
   * current match. Returns false when there is no match.
   */
  find(query: SearchQuery, direction: 'up' | 'down', isNew?: boolean): boolean;
  clear(): void;
}
