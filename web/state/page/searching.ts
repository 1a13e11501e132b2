// In which panes one searches; a new object each time that it is asked for, so that its field takes the keyboard again.
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
