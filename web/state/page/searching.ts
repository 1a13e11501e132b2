// Panes with an open search; each request creates a new object, so that the field is focused again.
import { createStore } from 'zustand/vanilla';

export const searchingStore = createStore<{ readonly asked: { readonly [key: string]: object } }>(() => ({
  asked: {},
}));

export function startSearch(key: string): void {
  searchingStore.setState(({ asked }) => ({ asked: { ...asked, [key]: {} } }));
}

export function stopSearch(key: string): void {
  searchingStore.setState(({ asked }) => {
    const { [key]: _, ...others } = asked;
    return { asked: others };
  });
}
