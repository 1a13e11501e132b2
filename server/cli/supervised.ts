// Restarts a program that crashes, with growing delays and a maximum number of crashes.

/** First delay before a restart; it doubles with each crash, up to `LONGEST_WAIT_MS`. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** Run time after which earlier crashes no longer count. */
const STEADY_MS = 60_000;
/** Number of crashes in a row after which the program is not restarted. */
const MOST_CRASHES = 10;

/** Signals that ask the program to stop. */
export const ENDS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** False when the program ended before it was ready. */
  readonly wasReady: boolean;
}

export interface Supervisor {
  readonly run: () => Promise<Ended>;
  /** Resolves after this time, or at once when the program is to stop. */
  readonly wait: (ms: number) => Promise<void>;
  /** True once a person or the system has requested that the program stop. */
  readonly isStopping: () => boolean;
  readonly now: () => number;
  readonly report: (sentence: string) => void;
}

/** Resolves with the exit code when the program ended normally or on request, cannot start, or crashed too often. */
export async function supervised({ run, wait, isStopping, now, report }: Supervisor): Promise<number> {
  let crashes = 0;
  let wasEverReady = false;
  for (;;) {
    const beganAtMs = now();
    const { code, signal, wasReady } = await run();
    wasEverReady ||= wasReady;
    // A program that is still starting does not handle these signals yet, and is killed by them.
    if (isStopping() && signal !== null && ENDS.includes(signal)) return 0;
    // A program that exits before any run was ready has an error that would recur, such as an invalid command line
    // or a port in use.
    if (code === 0 || isStopping() || (code !== null && !wasEverReady)) return code ?? 1;
    crashes = now() - beganAtMs >= STEADY_MS ? 1 : crashes + 1;
    const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
    if (crashes >= MOST_CRASHES) {
      report(`the gateway ${how} (${crashes} crashes in a row); it will not be restarted`);
      return code ?? 1;
    }
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (crashes - 1), LONGEST_WAIT_MS);
    report(`the gateway ${how}; restarting it in ${waitMs / 1000} s`);
    await wait(waitMs);
    if (isStopping()) return 0;
  }
}
