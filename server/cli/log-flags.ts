// Flags for the format and level of the gateway's log.
import { LEVELS, type Level } from '../ops/log.ts';
import type { FlagSpecs } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const FORMATS = ['text', 'json'] as const;
/** Default levels: text, for people, has only problems; JSON has all events except the most frequent ones. */
const USUAL_LEVEL = { text: 'warn', json: 'info' } as const;

export interface ChosenLog {
  readonly format: (typeof FORMATS)[number];
  readonly level: Level;
}

export const LOG_FLAGS = {
  'log-format': {
    type: 'string',
    value: 'FORMAT',
    about:
      'Format of the log on stderr: text (a sentence per line) or json (an object per line, with the connection, session, process and person) (default: text)',
    completes: FORMATS,
  },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    about:
      'Minimum severity to log: error, warn, info (connections, starts and ends) or debug (default: warn for text, info for json)',
    completes: LEVELS,
  },
} as const satisfies FlagSpecs;

/** Parses the flags. Throws UsageError. */
export function logOf(values: { readonly [flag in keyof typeof LOG_FLAGS]?: string | undefined }): ChosenLog {
  const format = oneOf(FORMATS, '--log-format', values['log-format'] ?? 'text');
  return { format, level: oneOf(LEVELS, '--log-level', values['log-level'] ?? USUAL_LEVEL[format]) };
}

function oneOf<T extends string>(known: readonly T[], flag: string, given: string): T {
  const found = known.find((each) => each === given);
  if (!found) throw new UsageError(`${flag} ${given}: expected one of ${known.join(', ')}`);
  return found;
}
