// What is looked for, in a pane or in all output; of the latter it stays as long as the page, so that one comes back to what was found.
import { createStore } from 'zustand/vanilla';

export interface SearchQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

export const outputQuery = createStore<SearchQuery>(() => ({
  text: '',
  isRegex: false,
  isCaseSensitive: false,
}));
