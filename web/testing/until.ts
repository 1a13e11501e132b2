// Waits for conditions of the document by real time, also where the page's own time stands still.

/** Time after which a condition counts as never true. */
const PATIENCE_MS = 15_000;
/** Interval for conditions that change without a change of the document. */
const AGAIN_MS = 10;

const { setTimeout, clearTimeout } = globalThis;
const now = performance.now.bind(performance);

/** Returns the result of `look` as soon as it does not throw; at the end of the patience, throws its last error. */
export async function until<T>(look: () => T | Promise<T>): Promise<T> {
  const endMs = now() + PATIENCE_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (now() > endMs) throw error;
      await changed();
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

/** Resolves after the page's pending work: a browser draws between two keys of a person. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise<void>((resolve) => setTimeout(resolve, 0));
}
