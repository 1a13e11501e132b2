// A limited set of names stored in this browser, oldest dropped first.
import { createStore, type StoreApi } from 'zustand/vanilla';
import { readStored, writeStored } from '../page/storage.ts';

export interface RememberedKeys {
  readonly ids: readonly string[];
}

/** Creates the store; `most` is the maximum number of names. */
export function rememberedKeys(storageKey: string, most: number): StoreApi<RememberedKeys> {
  const store = createStore<RememberedKeys>(() => ({
    ids: readStored(storageKey, (stored) => idsOf(stored).slice(-most)),
  }));
  store.subscribe(({ ids }) => writeStored(storageKey, ids));
  return store;
}

const idsOf = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
