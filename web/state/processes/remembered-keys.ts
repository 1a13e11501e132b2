// A list of ids stored in this browser, newest last.
import { createStore, type StoreApi } from 'zustand/vanilla';
import { readStored, writeStored } from '../page/storage.ts';

export interface RememberedKeys {
  readonly ids: readonly string[];
}

/** Creates the store; from the stored ids, only the newest `most` are restored. */
export function rememberedKeys(storageKey: string, most: number): StoreApi<RememberedKeys> {
  const store = createStore<RememberedKeys>(() => ({
    ids: readStored(storageKey, (stored) => idsOf(stored).slice(-most)),
  }));
  store.subscribe(({ ids }) => writeStored(storageKey, ids));
  return store;
}

const idsOf = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
