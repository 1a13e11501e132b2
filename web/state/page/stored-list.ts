// A list of named things that this browser stores, with a limit, which another tab may change meanwhile.
import { createStore, type StoreApi } from 'zustand/vanilla';
import { onStoredByOthers, readStored, writeStored } from './storage.ts';

export interface StoredList<T> {
  readonly store: StoreApi<{ readonly saved: readonly T[] }>;
  /**
   * Applies a change to the list as stored, read again because another tab of the browser may have saved in the
   * meantime. Returns false, without the change, when there would be more than `most` items.
   */
  change(to: (saved: readonly T[]) => readonly T[]): boolean;
}

/** `name`: key in the browser's storage; `parse` returns the valid items of what is stored there. */
export function storedList<T>(
  name: string,
  parse: (stored: unknown) => readonly T[],
  most: number,
): StoredList<T> {
  const read = (): readonly T[] => readStored(name, parse);
  const store = createStore<{ readonly saved: readonly T[] }>(() => ({ saved: read() }));
  onStoredByOthers(name, () => store.setState({ saved: read() }));
  return {
    store,
    change(to) {
      const before = read();
      const after = to(before);
      const hasRoom = after.length <= most;
      if (hasRoom) writeStored(name, after);
      store.setState({ saved: hasRoom ? after : before });
      return hasRoom;
    },
  };
}
