// Time at which the page's process state was current: the clock stops when the page receives no more changes.
import { useStore } from 'zustand';
import { useNow } from './use-now.tsx';
import { processStore } from '../state/processes/process-store.ts';

/** Returns milliseconds since the epoch, updated once a second while `isTicking` and the page receives changes. */
export function useKnownAt(isTicking: boolean): number {
  // `uninformedSinceMs` takes precedence, since a hidden page may go offline later.
  const stoodAtMs = useStore(processStore, (state) => state.uninformedSinceMs ?? state.offlineSinceMs);
  const now = useNow(isTicking && stoodAtMs === null);
  return stoodAtMs ?? now;
}
