// Code that is loaded when it is first needed, and loaded again after a failure.

/** Code being loaded; resolves to `null` if loading failed. */
export type Loading<T> = Promise<{ readonly value: T } | null>;

/** Returns a function that calls `load` once, and again after a failure; all callers get the same promise. */
export function onceLoaded<T>(load: () => Promise<T>): () => Loading<T> {
  let loading: Loading<T> | null = null;
  return () =>
    (loading ??= load().then(
      (value) => ({ value }),
      () => (loading = null),
    ));
}
