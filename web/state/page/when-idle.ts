// For what nobody waits for.

/** Where a browser does not tell: Safari. */
const LIKELY_IDLE_MS = 200;

/** Does it when the page has nothing else to do, after so long at the latest. Returns what calls it off. */
export function whenIdle(act: () => void, latestMs: number): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(act, Math.min(LIKELY_IDLE_MS, latestMs));
    return () => clearTimeout(timer);
  }
  const idle = window.requestIdleCallback(act, { timeout: latestMs });
  return () => window.cancelIdleCallback(idle);
}
