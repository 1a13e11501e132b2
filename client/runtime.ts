// Time and randomness, passed in so that tests can replace them; the socket is passed in by the creator of the client.

export interface Runtime {
  /** ms since the epoch; a sleeping machine shows in it. */
  now(): number;
  /** Returns a number from 0 to below 1. */
  random(): number;
  /** Runs once after `ms`, unless the returned undo is called first. */
  after(ms: number, run: () => void): () => void;
}

// Browsers and Node both have these; this project's types are neither's.
declare function setTimeout(run: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** The real clock and the real dice. */
export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
