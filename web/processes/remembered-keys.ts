// A few names that this browser keeps over a reload, the oldest of them forgotten first.
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface RememberedKeys {
  readonly ids: readonly string[];
}

/** `most`: how many are kept. */
export function rememberedKeys(storageKey: string, most: number): StoreApi<RememberedKeys> {
  const store = createStore<RememberedKeys>(() => ({ ids: stored(storageKey, most) }));
  store.subscribe(({ ids }) => {
    try {
      localStorage.setItem(storageKey, JSON.stringify(ids));
    } catch {
      // A browser that stores nothing forgets this, too.
    }
  });
  return store;
}

function stored(storageKey: string, most: number): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(-most) : [];
  } catch {
    return [];
  }
}
