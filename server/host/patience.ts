// Timeouts for peers: the gateway receives nothing while it stands still, and that does not count against the peer.

/**
 * Calls `over` after `ms`. A call that would be late is delayed once more by as much as it is late, at most `ms`, so
 * that messages sent meanwhile are processed first. Returns a function that cancels it.
 */
export function afterPatience(ms: number, over: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    timer = setTimeout(over, Math.min(performance.now() - dueMs, ms));
  }, ms);
  return () => clearTimeout(timer);
}
