// The flags for the gateway's limits: counts, sizes and times as people write them.
import type { FlagSpecs } from './arguments.ts';
import { UsageError } from './usage-error.ts';

export const LIMIT_FLAGS = {
  'max-processes': { type: 'string', value: 'N', about: 'Processes that may run at once (default: 1000)' },
  'max-processes-per-session': {
    type: 'string',
    value: 'N',
    about: 'Processes of one session that may run at once (default: 500)',
  },
  'retained-bytes': {
    type: 'string',
    value: 'SIZE',
    about: 'Output retained of each live process, 256K to 64M (default: 1M)',
  },
  'live-bytes': {
    type: 'string',
    value: 'SIZE',
    about:
      'Output retained of all live processes together, as 512M or 4G (default: 1G); a start that would exceed it is refused',
  },
  'shutdown-grace': {
    type: 'string',
    value: 'TIME',
    about: 'Time from SIGTERM to SIGKILL when the gateway stops, as 3s or 1m, at most 10m (default: 3s)',
  },
  'approval-timeout': {
    type: 'string',
    value: 'TIME',
    about:
      'Time after which a request that nobody has decided fails, as 90s or 10m, at most 24h (default: never)',
  },
} as const satisfies FlagSpecs;

/** Chosen limits, in the names and units of the gateway's. */
export interface ChosenLimits {
  readonly processes?: number;
  readonly processesPerSession?: number;
  readonly retainedBytes?: number;
  readonly liveBytes?: number;
  readonly shutdownGraceMs?: number;
  readonly approvalTimeoutMs?: number;
  readonly keptMs?: number;
}

type Values = { readonly [flag in keyof typeof LIMIT_FLAGS]?: string | undefined };
type Units = { readonly [unit: string]: number };

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Minimum of retained bytes: an owner may be behind by about as much, and must not miss any output. */
const LEAST_RETAINED_BYTES = 256 * 1024;
const COUNT: Units = { '': 1 };
const BYTES: Units = { '': 1, k: 1024, K: 1024, m: MIB, M: MIB, g: GIB, G: GIB };
const TIME: Units = { '': 1000, s: 1000, m: 60_000, h: 3_600_000 };
const DAY_MS = 24 * 3_600_000;

/** Throws UsageError. */
export function limitsOf(values: Values): ChosenLimits {
  const given = (
    flag: keyof Values,
    units: Units,
    [least, most]: readonly [number, number],
    expected: string,
  ): number | undefined => {
    const text = values[flag];
    if (text === undefined) return undefined;
    const [, count, unit = ''] = /^([1-9]\d{0,9})([a-zA-Z]?)$/.exec(text) ?? [];
    const value = Number(count) * (units[unit] ?? Number.NaN);
    if (value >= least && value <= most) return value;
    throw new UsageError(`--${flag} ${text}: expected ${expected}`);
  };
  const processes = given('max-processes', COUNT, [1, 100_000], 'a number from 1 to 100000');
  const processesPerSession = given(
    'max-processes-per-session',
    COUNT,
    [1, 100_000],
    'a number from 1 to 100000',
  );
  const retainedBytes = given(
    'retained-bytes',
    BYTES,
    [LEAST_RETAINED_BYTES, 64 * MIB],
    'bytes, as 1048576 or 1M, at least 256K, at most 64M',
  );
  const liveBytes = given(
    'live-bytes',
    BYTES,
    [64 * MIB, 1024 * GIB],
    'bytes, as 512M or 4G, at least 64M, at most 1024G',
  );
  const shutdownGraceMs = given('shutdown-grace', TIME, [0, 600_000], 'a time, as 3s or 1m, at most 10m');
  const approvalTimeoutMs = given(
    'approval-timeout',
    TIME,
    [1000, DAY_MS],
    'a time, as 90s or 10m, at most 24h',
  );
  return {
    ...(processes !== undefined && { processes }),
    ...(processesPerSession !== undefined && { processesPerSession }),
    ...(retainedBytes !== undefined && { retainedBytes }),
    ...(liveBytes !== undefined && { liveBytes }),
    ...(shutdownGraceMs !== undefined && { shutdownGraceMs }),
    ...(approvalTimeoutMs !== undefined && { approvalTimeoutMs }),
  };
}
