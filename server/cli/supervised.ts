// A program that is started again when it crashes, after growing waits and up to a limit of crashes.

/** First wait before it is started again; it doubles with each crash up to the longest. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** Time that it runs after which its crashes are counted anew. */
const STEADY_MS = 60_000;
/** Crashes in a row after which it is left alone. */
const MOST_CRASHES = 10;

/** The end of one run. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** False when it had not begun to do its work. */
  readonly wasReady: boolean;
}

export interface Supervisor {
  /** Starts it, and resolves with its end. */
  readonly run: () => Promise<Ended>;
  /** Resolves after so many ms, or at once when it is to end. */
  readonly wait: (ms: number) => Promise<void>;
  /** True from when a person, or the system, has asked for its end. */
  readonly isStopping: () => boolean;
  readonly now: () => number;
  readonly say: (sentence: string) => void;
}

/** Resolves with the exit code when it has ended in order, cannot begin at all, or has crashed too often. */
export async function supervised({ run, wait, isStopping, now, say }: Supervisor): Promise<number> {
  let crashes = 0;
  let wasEverReady = false;
  for (;;) {
    const beganAtMs = now();
    const { code, signal, wasReady } = await run();
    wasEverReady ||= wasReady;
    // A command line that is wrong, or a port that another program has, does not mend itself.
    if (code === 0 || isStopping() || (code !== null && !wasEverReady)) return code ?? 1;
    crashes = now() - beganAtMs >= STEADY_MS ? 1 : crashes + 1;
    const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    if (crashes >= MOST_CRASHES) {
      say(`the gateway ${how}, for the ${crashes}th time in a row, and is not started again`);
      return code ?? 1;
    }
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (crashes - 1), LONGEST_WAIT_MS);
    say(`the gateway ${how}; it is started again in ${waitMs / 1000} s`);
    await wait(waitMs);
    if (isStopping()) return 0;
  }
}
