// Runs a series of keeper runs, one seed each, a few in parallel; each run has several faults.
import { keeperRun, type KeeperResult } from './keeper-run.ts';

export interface KeeperSeriesOptions {
  readonly firstSeed: number;
  /** Total number of faults; each consists of at least one kill or stop. */
  readonly faults: number;
  readonly parallel: number;
  /** Built commands, as in `KeeperRun`. */
  readonly mains: readonly [string, ...string[]];
  readonly done?: (seen: KeeperResult) => void;
  readonly failed?: (seed: number, error: Error) => void;
}

export interface KeeperSeriesResult extends KeeperResult {
  readonly runs: number;
  readonly failures: number;
}

/** Number of faults per run; the last run may have fewer. */
const FAULTS = 10;

export async function keeperSeries(options: KeeperSeriesOptions): Promise<KeeperSeriesResult> {
  const { firstSeed, parallel, mains, done, failed } = options;
  const all = { runs: 0, kills: 0, stops: 0, upgrades: 0, bytes: 0, writes: 0 };
  let failures = 0;
  let left = options.faults;
  let nextSeed = firstSeed;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      const seed = nextSeed;
      const faults = Math.min(FAULTS, left);
      nextSeed += 1;
      left -= faults;
      try {
        const { kills, stops, upgrades, bytes, writes } = await keeperRun({ seed, faults, mains });
        all.kills += kills;
        all.stops += stops;
        all.upgrades += upgrades;
        all.bytes += bytes;
        all.writes += writes;
      } catch (error) {
        failures += 1;
        failed?.(seed, error as Error);
      }
      all.runs += 1;
      done?.(all);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { ...all, failures };
}
