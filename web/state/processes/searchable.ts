// What a search bar asks of whatever its pane shows, and what it is told.
import type { SearchQuery } from './search-query.ts';

export interface PaneMatches {
  /** From 0; -1 when none is the present one. */
  readonly index: number;
  readonly count: number;
  /** There are more, which are not counted. */
  readonly hasMore: boolean;
  /** Others, in lines that a filter hides. */
  readonly hidden: number;
}

export const NOTHING_FOUND: PaneMatches = { index: -1, count: 0, hasMore: false, hidden: 0 };

/** A terminal, or a log. */
export interface Searchable {
  /** Goes to the next match, with a new question from the end of the output; false when there is none. */
  find(query: SearchQuery, direction: 'up' | 'down', isNew?: boolean): boolean;
  clear(): void;
}
