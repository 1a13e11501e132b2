// Shared clock for ticking texts; it stops when nothing needs it.
import { useSyncExternalStore } from 'react';

const TICK_MS = 1000;

const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function tick(): void {
  // A hidden page does not need the time.
  if (document.visibilityState === 'hidden') return;
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    nowMs = Date.now();
    timer = setInterval(tick, TICK_MS);
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
    timer = null;
  };
}

const stand = (): (() => void) => () => {};

/** Returns milliseconds since the epoch, updated once a second while `isTicking` and the page is not hidden. */
export function useNow(isTicking: boolean): number {
  return useSyncExternalStore(isTicking ? subscribe : stand, () => nowMs);
}
