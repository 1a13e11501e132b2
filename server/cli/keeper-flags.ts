// Flags for the keeper, which holds processes while gateways restart.
import type { FlagSpec, FlagSpecs } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const CHOICES = ['on', 'off', 'auto'] as const;
const USUAL: (typeof CHOICES)[number] = 'auto';

/** Returns the flag `--keeper` for a command whose default is `usual`. */
export const keeperFlag = (usual: (typeof CHOICES)[number]) =>
  ({
    type: 'string',
    value: 'on|off|auto',
    about: `Run processes in a keeper, a small program that keeps them running when the gateway is killed, crashes or is replaced; the next gateway with the same state folder takes them over. With auto, processes run in the gateway if no keeper can be started (default: ${usual}; Linux only)`,
    completes: CHOICES,
  }) as const satisfies FlagSpec;

export const KEEPER_FLAGS = {
  keeper: keeperFlag(USUAL),
  keep: {
    type: 'string',
    value: 'TIME',
    about:
      'Time for which the keeper runs pinned processes, and those started by people, without a gateway, such as 30m or 24h, at most 240h; 0 ends them at once (default: 24h)',
  },
} as const satisfies FlagSpecs;

interface Values {
  readonly keeper?: string | undefined;
  readonly keep?: string | undefined;
}

const UNITS: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000 };
const MOST_MS = 240 * 3_600_000;

export interface KeeperChoice {
  readonly keeper: (typeof CHOICES)[number];
  /** Time for which pinned processes, and those started by people, run without a gateway; undefined: the default. */
  readonly keptMs: number | undefined;
}

/** Parses the flags. Throws UsageError. */
export function keeperChoiceOf({ keeper = USUAL, keep }: Values): KeeperChoice {
  const chosen = CHOICES.find((each) => each === keeper);
  if (!chosen) throw new UsageError(`--keeper ${keeper}: expected one of ${CHOICES.join(', ')}`);
  const isPossible = process.platform === 'linux';
  if (chosen === 'on' && !isPossible)
    throw new UsageError('--keeper on: the keeper runs on Linux only; omit the flag');
  const used = isPossible ? chosen : 'off';
  if (keep !== undefined && used === 'off') throw new UsageError('--keep needs a keeper; omit the flag');
  return { keeper: used, keptMs: keep === undefined ? undefined : timeOf(keep) };
}

function timeOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smh])$/.exec(text) ?? [];
  const ms = text === '0' ? 0 : Number(count) * (UNITS[unit] ?? Number.NaN);
  if (ms >= 0 && ms <= MOST_MS) return ms;
  throw new UsageError(`--keep ${text}: expected a duration, such as 30m or 24h, at most 240h, or 0`);
}
