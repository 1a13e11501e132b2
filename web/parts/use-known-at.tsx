// Time for which the page's state of processes holds: the clock stops when the page gets no more changes.
import { useStore } from 'zustand';
import { useNow } from './use-now.tsx';
import { processStore } from '../state/processes/process-store.ts';

/** Time in ms since the epoch. Follows the clock while `isTicking`, and while the page is online and gets output. */
export function useKnownAt(isTicking: boolean): number {
  // The time since which the page gets no output comes first: a page may go offline while hidden, and then be shown.
  const stoodAtMs = useStore(processStore, (state) => state.uninformedSinceMs ?? state.offlineSinceMs);
  const now = useNow(isTicking && stoodAtMs === null);
  return stoodAtMs ?? now;
}
