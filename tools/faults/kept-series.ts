// Runs many gateways with a keeper, one seed each, a few in parallel; each is killed repeatedly.
import { keptRun, type KeptResult } from './kept-run.ts';

export interface KeptSeriesOptions {
  readonly firstSeed: number;
  /** Total number of faults; some consist of more than one kill. */
  readonly faults: number;
  /** Number of parallel runs. */
  readonly parallel: number;
  /** Built commands, as in `KeptRun`. */
  readonly mains: readonly [string, ...string[]];
  readonly done?: (seen: KeptResult) => void;
  readonly failed?: (seed: number, error: Error) => void;
}

export interface KeptSeriesResult extends KeptResult {
  readonly runs: number;
  readonly failures: number;
}

/** Number of faults per run. */
const FAULTS = 10;

export async function keptSeries(options: KeptSeriesOptions): Promise<KeptSeriesResult> {
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
        const { kills, stops, upgrades, bytes, writes } = await keptRun({ seed, faults, mains });
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
