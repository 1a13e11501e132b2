// Runs a series of fault runs, one seed each, a few in parallel, on two shared gateways.
import type { Limits } from '../../server/config.ts';
import { TestServer } from '../../server/testing/test-server.ts';
import { FaultRun } from './fault-run.ts';

const KIB = 1024;

/** Limits with times shortened like the clients', except for sessions, which must outlive every run. */
const LIMITS: Partial<Limits> = {
  pingMs: 1000,
  windowSilenceMs: 200,
  windowWayMs: 1000,
  silentMs: 2500,
  stalledMs: 9000,
  catchUpMs: 500,
  ackTimeoutMs: 1000,
  sessionTtlMs: 60_000,
  closedTtlMs: 60_000,
  finishedProcesses: 200,
  connectionsPerToken: 2000,
};

export interface SeriesOptions {
  readonly firstSeed: number;
  readonly runs: number;
  readonly parallel: number;

  readonly done?: (runs: number) => void;
}

export interface SeriesResult {
  readonly runs: number;
  readonly reconnects: number;
  readonly gaps: number;
  readonly accepted: number;
  readonly failures: readonly { readonly seed: number; readonly error: Error }[];
}

export async function runSeries({ firstSeed, runs, parallel, done }: SeriesOptions): Promise<SeriesResult> {
  const servers = {
    roomy: await TestServer.start({
      ...LIMITS,
      retainedBytes: 32 * 1024 * KIB,
      finishedBytes: 128 * 1024 * KIB,
    }),
    tight: await TestServer.start({ ...LIMITS, retainedBytes: 64 * KIB, chunkBytes: 4 * KIB }),
  };
  const result = { runs: 0, reconnects: 0, gaps: 0, accepted: 0 };
  const failures: { seed: number; error: Error }[] = [];
  let nextSeed = firstSeed;
  const worker = async (): Promise<void> => {
    while (nextSeed < firstSeed + runs) {
      const seed = nextSeed;
      nextSeed += 1;
      try {
        const { reconnects, gaps, accepted } = (await FaultRun.of(seed, servers)).met;
        result.reconnects += reconnects;
        result.gaps += gaps;
        result.accepted += accepted;
      } catch (error) {
        failures.push({ seed, error: error as Error });
      }
      result.runs += 1;
      done?.(result.runs);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  await Promise.all([servers.roomy.stop(), servers.tight.stop()]);
  return { ...result, failures };
}

/** Returns the command that repeats this run. */
export const again = (seed: number): string => `npm run faults -- --runs 1 --seed ${seed}`;
