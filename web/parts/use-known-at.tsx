// The moment for which what the page says of processes holds: the clock stops when it is told no more of them.
import { useStore } from 'zustand';
import { useNow } from './use-now.tsx';
import { processStore } from '../state/processes/process-store.ts';

/** ms since the epoch. Follows the clock while it is ticking, and the page is online and told what prints. */
export function useKnownAt(isTicking: boolean): number {
  // A hidden page may go offline, and then be seen.
  const stoodAtMs = useStore(processStore, (state) => state.uninformedSinceMs ?? state.offlineSinceMs);
  const now = useNow(isTicking && stoodAtMs === null);
  return stoodAtMs ?? now;
}
