// The gateway's log: in which form, and how much of it.
import { LEVELS, type Level } from '../ops/log.ts';
import { UsageError } from './usage-error.ts';

export const LOG_FLAGS = {
  'log-format': { type: 'string' },
  'log-level': { type: 'string' },
} as const;

const FORMATS = ['text', 'json'] as const;
/** A person is told of what is not as it should be, a machine of all that happens. */
const USUAL_LEVEL = { text: 'warn', json: 'info' } as const;

export interface ChosenLog {
  readonly format: (typeof FORMATS)[number];
  readonly level: Level;
}

export const LOG_HELP = `  --log-format text|json  how the log on stderr is written: a sentence a line (default), or an object with its event
                          and the connection, session, process and person that it is about
  --log-level LEVEL       the least that is logged: error, warn (default for text), info (default for json: who came
                          and went, what was started and how it ended) or debug
`;

/** Throws UsageError. */
export function logOf(values: { readonly [flag in keyof typeof LOG_FLAGS]?: string | undefined }): ChosenLog {
  const format = oneOf(FORMATS, '--log-format', values['log-format'] ?? 'text');
  return { format, level: oneOf(LEVELS, '--log-level', values['log-level'] ?? USUAL_LEVEL[format]) };
}

function oneOf<T extends string>(known: readonly T[], flag: string, given: string): T {
  const found = known.find((each) => each === given);
  if (!found) throw new UsageError(`${flag} ${given}: expected one of ${known.join(', ')}`);
  return found;
}
