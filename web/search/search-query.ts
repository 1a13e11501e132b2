// What is looked for in all output; it stays as long as the page, so that one comes back to what was found.
import { createStore } from 'zustand/vanilla';

export interface OutputQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

export const searchQuery = createStore<OutputQuery>(() => ({
  text: '',
  isRegex: false,
  isCaseSensitive: false,
}));
