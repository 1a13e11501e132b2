// Time and randomness, passed in so that tests can replace them.

export interface Runtime {
  /** Time in ms since the epoch; it continues while the machine sleeps. */
  now(): number;
  /** Returns a number from 0 to below 1. */
  random(): number;
  /** Runs `run` once after `ms`, unless the returned function is called first. */
  after(ms: number, run: () => void): () => void;
}

// These functions are declared here because the client's tsconfig includes neither the DOM's nor Node's types.
declare function setTimeout(run: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
