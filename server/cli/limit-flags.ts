// Flags for the gateway's limits: counts, sizes and times as people write them.
import type { FlagSpecs } from './arguments.ts';
import { UsageError } from './usage-error.ts';

export const LIMIT_FLAGS = {
  'max-processes': {
    type: 'string',
    value: 'N',
    about: 'Maximum number of running processes (default: 1000)',
  },
  'max-processes-per-session': {
    type: 'string',
    value: 'N',
    about: 'Maximum number of running processes of one session (default: 500)',
  },
  'retained-bytes': {
    type: 'string',
    value: 'SIZE',
    about: 'Output retained for each live process, 256K to 64M (default: 1M)',
  },
  'live-bytes': {
    type: 'string',
    value: 'SIZE',
    about:
      'Output retained for all live processes together, such as 512M or 4G (default: 1G); a start that would exceed it is refused',
  },
  'shutdown-grace': {
    type: 'string',
    value: 'TIME',
    about: 'Time from SIGTERM to SIGKILL when the gateway stops, such as 3s or 1m, at most 10m (default: 3s)',
  },
  'approval-timeout': {
    type: 'string',
    value: 'TIME',
    about: 'Time after which an undecided request fails, such as 90s or 10m, at most 24h (default: never)',
  },
} as const satisfies FlagSpecs;

export const RECORD_LIMIT_FLAGS = {
  'record-process': {
    type: 'string',
    value: 'SIZE',
    about:
      'Maximum recorded output of one process, such as 512M or 4G (default: 256M); the first 16M and the newest output are retained',
  },
  'record-total': {
    type: 'string',
    value: 'SIZE',
    about:
      'Maximum size of all recordings, such as 2G or 100G (default: 10G); the oldest finished ones are removed first',
  },
  'record-age': {
    type: 'string',
    value: 'TIME',
    about: 'Age at which recordings are removed, such as 12h or 90d, at most 3650d (default: 30d)',
  },
  'record-free': {
    type: 'string',
    value: 'SIZE',
    about:
      'Free disk space below which the oldest recordings are removed and nothing is recorded (default: 2G, or 5% of a smaller disk)',
  },
} as const satisfies FlagSpecs;

type Flag = keyof typeof LIMIT_FLAGS | keyof typeof RECORD_LIMIT_FLAGS;
type Values = { readonly [flag in Flag]?: string | undefined };
type Units = { readonly [unit: string]: number };

interface Form {
  readonly flag: Flag;
  readonly units: Units;
  /** Smallest and largest value, in the unit of the limit. */
  readonly least: number;
  readonly most: number;
  readonly expected: string;
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEAST_RETAINED_BYTES = 256 * 1024;
/**
 * Minimum of the limits in DISK: as the maximum of a recording, it has room for the first output and a few of the
 * newest segments.
 */
const LEAST_LARGE_BYTES = 64 * MIB;
const COUNT = {
  units: { '': 1 },
  least: 1,
  most: 100_000,
  expected: 'a whole number from 1 to 100000',
} as const;
const BYTES: Units = { '': 1, k: 1024, K: 1024, m: MIB, M: MIB, g: GIB, G: GIB };
const TIME: Units = { '': 1000, s: 1000, m: 60_000, h: HOUR_MS };
const DISK = {
  units: BYTES,
  least: LEAST_LARGE_BYTES,
  most: 1024 * GIB,
  expected: 'a size, such as 512M or 4G, at least 64M, at most 1024G',
} as const;

/** Format of each limit that has a flag, by the limit's name. */
const FORMS = {
  processes: { flag: 'max-processes', ...COUNT },
  processesPerSession: { flag: 'max-processes-per-session', ...COUNT },
  retainedBytes: {
    flag: 'retained-bytes',
    units: BYTES,
    least: LEAST_RETAINED_BYTES,
    most: 64 * MIB,
    expected: 'a size, such as 1048576 or 1M, at least 256K, at most 64M',
  },
  liveBytes: { flag: 'live-bytes', ...DISK },
  shutdownGraceMs: {
    flag: 'shutdown-grace',
    units: TIME,
    least: 0,
    most: 600_000,
    expected: 'a duration, such as 3s or 1m, from 0s to 10m',
  },
  approvalTimeoutMs: {
    flag: 'approval-timeout',
    units: TIME,
    least: 1000,
    most: DAY_MS,
    expected: 'a duration, such as 90s or 10m, at most 24h',
  },
  recordProcessBytes: { flag: 'record-process', ...DISK },
  recordBytes: { flag: 'record-total', ...DISK },
  recordAgeMs: {
    flag: 'record-age',
    units: { ...TIME, d: DAY_MS },
    least: 60_000,
    most: 3650 * DAY_MS,
    expected: 'a duration, such as 12h or 90d, at least 1m, at most 3650d',
  },
  recordFreeBytes: { flag: 'record-free', ...DISK },
} as const satisfies { readonly [limit: string]: Form };

type Limit = keyof typeof FORMS;

/** Limits that are set by flags, under the names and in the units of the gateway. */
export type ChosenLimits = { readonly [limit in Limit | 'recordFreeShare' | 'keptMs']?: number };

/** Parses the flags. Throws UsageError. */
export function limitsOf(values: Values): ChosenLimits {
  const chosen: { -readonly [limit in Limit]?: number } = {};
  for (const [limit, form] of Object.entries(FORMS) as [Limit, Form][]) {
    const text = values[form.flag];
    if (text !== undefined) chosen[limit] = valueOf(text, form);
  }
  // The share of 1 means that a free disk space that is set here is not lowered on a small disk.
  return { ...chosen, ...(chosen.recordFreeBytes !== undefined && { recordFreeShare: 1 }) };
}

function valueOf(text: string, { flag, units, least, most, expected }: Form): number {
  const [, count, unit = ''] = /^(0|[1-9]\d{0,9})([a-zA-Z]?)$/.exec(text) ?? [];
  const value = Number(count) * (units[unit] ?? Number.NaN);
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${flag} ${text}: expected ${expected}`);
}
