// Runs low-priority work while the page is idle.

/** Delay in browsers without `requestIdleCallback`, such as Safari. */
const LIKELY_IDLE_MS = 200;

/** Runs `act` when the page is idle, but after `latestMs` at the latest. Returns a function that cancels it. */
export function whenIdle(act: () => void, latestMs: number): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(act, Math.min(LIKELY_IDLE_MS, latestMs));
    return () => clearTimeout(timer);
  }
  const idle = window.requestIdleCallback(act, { timeout: latestMs });
  return () => window.cancelIdleCallback(idle);
}
