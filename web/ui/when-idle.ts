// For what can wait until everything that is waited for has been done.

/** Where a browser does not tell: Safari. */
const LIKELY_IDLE_MS = 200;

/** Does it when the page has nothing else to do, after so long at the latest; returns what calls it off. */
export function whenIdle(act: () => void, latestMs: number): () => void {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(act, LIKELY_IDLE_MS);
    return () => clearTimeout(timer);
  }
  const idle = window.requestIdleCallback(act, { timeout: latestMs });
  return () => window.cancelIdleCallback(idle);
}
