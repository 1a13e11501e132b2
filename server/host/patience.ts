// Timeouts that run longer when the gateway itself was suspended and could not receive messages from a peer.

/**
 * Calls `over` after `ms`. A late call is delayed once more by as much as it is late, at most `ms`, so that
 * messages sent in the meantime are processed first. Returns a function that cancels it.
 */
export function afterPatience(ms: number, over: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    timer = setTimeout(over, Math.min(performance.now() - dueMs, ms));
  }, ms);
  return () => clearTimeout(timer);
}
