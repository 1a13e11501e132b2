// Search queries of panes and of the search in all output; the latter lasts for the lifetime of the page, so that
// its results can be revisited.
import { createStore } from 'zustand/vanilla';

export interface SearchQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

export const NO_QUERY: SearchQuery = { text: '', isRegex: false, isCaseSensitive: false };

export const outputQuery = createStore<SearchQuery>(() => NO_QUERY);
