// People connected to the console, and the page's own connection.
import { useStore } from 'zustand';
import { processStore } from '../state/processes/process-store.ts';

export function usePresent() {
  const people = useStore(processStore, (state) => state.people);
  const connection = useStore(processStore, (state) => state.connection);
  return { people, connection };
}
