// The moment for which what the page says of processes holds: the clock stops when the connection is lost.
import { useStore } from 'zustand';
import { useNow } from '../ui/use-now.tsx';
import { processStore } from './process-store.ts';

/** ms since the epoch. Follows the clock while it is ticking and the page is online. */
export function useKnownAt(isTicking: boolean): number {
  const offlineSinceMs = useStore(processStore, (state) => state.offlineSinceMs);
  const now = useNow(isTicking && offlineSinceMs === null);
  return offlineSinceMs ?? now;
}
