// The time for things that tick: one clock for all of them, which stands still when nothing does.
import { useSyncExternalStore } from 'react';

const TICK_MS = 1000;

const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function tick(): void {
  // Nobody sees what time it is.
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

/** ms since the epoch, to the second; follows the clock only while it is ticking. */
export function useNow(isTicking: boolean): number {
  return useSyncExternalStore(isTicking ? subscribe : stand, () => nowMs);
}
