// How long somebody may take: the gateway hears nobody while it stands still, and that is not held against them.

/**
 * Calls `over` after `ms`. When it would come late, it waits once more for as long as it is late, `ms` at the most: what was
 * sent meanwhile is heard first. Returns its own undo.
 */
export function afterPatience(ms: number, over: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    timer = setTimeout(over, Math.min(performance.now() - dueMs, ms));
  }, ms);
  return () => clearTimeout(timer);
}
