// Waits for conditions of the document in real time, even while the page's clock is stopped.
import { vi } from 'vitest';

/** Time after which waiting for a condition fails. */
const PATIENCE_MS = 15_000;
/** Polling interval for conditions that change without a document change. */
const AGAIN_MS = 10;

const { setTimeout, clearTimeout } = globalThis;
const now = performance.now.bind(performance);

/**
 * Returns the result of `look` once it does not throw; after the timeout, rethrows its last error. The timeout starts
 * again, once, when the page's pending modules have loaded: on a busy machine, the first load of a module can take
 * longer than the timeout, and only the timeout of the test limits it.
 */
export async function until<T>(look: () => T | Promise<T>): Promise<T> {
  let endMs = now() + PATIENCE_MS;
  let isLoaded = false;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (now() <= endMs) await changed();
      else if (isLoaded) throw error;
      else {
        await vi.dynamicImportSettled();
        isLoaded = true;
        endMs = now() + PATIENCE_MS;
      }
    }
  }
}

function changed(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(done);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const timer = setTimeout(done, AGAIN_MS);
  });
}

/** Resolves after the page's pending work, since a browser draws between two key presses. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise<void>((resolve) => setTimeout(resolve, 0));
}
