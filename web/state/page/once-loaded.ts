// Code that is loaded when it is first needed, and loaded again after a failure.

/** Code being loaded; resolves to `null` if loading failed. */
export type Loading<T> = Promise<{ readonly value: T } | null>;

/**
 * Returns a function that calls `load` on its first call, and on the next one after a failure; calls in between
 * return the same promise.
 */
export function onceLoaded<T>(load: () => Promise<T>): () => Loading<T> {
  let loading: Loading<T> | null = null;
  return () =>
    (loading ??= load().then(
      (value) => ({ value }),
      () => (loading = null),
    ));
}
