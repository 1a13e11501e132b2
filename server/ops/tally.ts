// Counts events since the start, for metrics.
import { isMethod } from '../../protocol/records.ts';
import type { Outcome } from '../rpc/connection.ts';

/** Upper bounds of the histogram of request durations. */
export const BUCKETS_MS = [0.1, 0.5, 2.5, 10, 50, 250, 1000, 10_000] as const;

type Result = 'success' | 'failure' | 'signal';

export interface Timing {
  readonly method: string;
  readonly outcome: Outcome;
  /** Count of each bucket; the last one is for durations beyond all bounds. */
  readonly counts: number[];
  sumMs: number;
}

/** Name for all unknown methods, because callers could invent any number of names. */
const OTHER = 'other';

export class Tally {
  readonly startedAtMs = Date.now();
  readonly connections = { agent: 0, observer: 0, operator: 0, admin: 0 };
  readonly sessions = { made: 0, resumed: 0 };
  readonly started = { tty: 0, pipes: 0 };
  /** Failed starts: for lack of a system resource, or for any other reason. */
  readonly notStarted = { starved: 0, other: 0 };
  /**
   * Requests for approval by outcome, and the number and total waiting time of those that a person decided.
   */
  readonly approvals = { accepted: 0, declined: 0, aborted: 0, withdrawn: 0, expired: 0 };
  approvalDecisions = 0;
  approvalDecisionMs = 0;
  readonly finished: Record<Result, number> = { success: 0, failure: 0, signal: 0 };
  /** Total bytes of output and input of the processes that the console no longer lists. */
  forgottenOutputBytes = 0;
  forgottenInputBytes = 0;
  readonly #timings = { ok: new Map<string, Timing>(), error: new Map<string, Timing>() };

  get timings(): readonly Timing[] {
    return [...this.#timings.ok.values(), ...this.#timings.error.values()];
  }

  answered(method: string, outcome: Outcome, ms: number): void {
    const timing = this.#timings[outcome].get(method) ?? this.#timing(method, outcome);
    timing.sumMs += ms;
    let at = 0;
    while (at < BUCKETS_MS.length && ms > (BUCKETS_MS[at] ?? 0)) at += 1;
    timing.counts[at] = (timing.counts[at] ?? 0) + 1;
  }

  ended(exitCode: number, signal: string | null): void {
    this.finished[signal === null ? (exitCode === 0 ? 'success' : 'failure') : 'signal'] += 1;
  }

  #timing(asked: string, outcome: Outcome): Timing {
    const method = isMethod(asked) ? asked : OTHER;
    const known = this.#timings[outcome].get(method);
    if (known) return known;
    const timing: Timing = {
      method,
      outcome,
      counts: Array.from({ length: BUCKETS_MS.length + 1 }, () => 0),
      sumMs: 0,
    };
    this.#timings[outcome].set(method, timing);
    return timing;
  }
}
