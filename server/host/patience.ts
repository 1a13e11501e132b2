// Timeouts for peers, without time in which the gateway itself was suspended and could receive nothing.

/**
 * Calls `over` after `ms`. A late call is delayed once more by its lateness, at most `ms`, so that messages
 * sent meanwhile are processed first. Returns a function that cancels it.
 */
export function afterPatience(ms: number, over: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    timer = setTimeout(over, Math.min(performance.now() - dueMs, ms));
  }, ms);
  return () => clearTimeout(timer);
}
