// The name of the person at this page.
import { useStore } from 'zustand';
import { processStore } from '../state/processes/process-store.ts';

/** The name of the token of the person here. */
export function useOwnName(): string | null {
  return useStore(processStore, ({ people, connection }) => {
    if (connection.kind !== 'online') return null;
    return people.find((each) => each.connection === connection.connection)?.name ?? null;
  });
}
