// Name of the page's user.
import { useStore } from 'zustand';
import { processStore } from '../state/processes/process-store.ts';

/** Returns the token name of the page's user; null while it is unknown, as when the page is offline. */
export function useOwnName(): string | null {
  return useStore(processStore, ({ people, connection }) => {
    if (connection.kind !== 'online') return null;
    return people.find((each) => each.connection === connection.connection)?.name ?? null;
  });
}
