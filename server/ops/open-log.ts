// Opens the log with the configured level and format. Text that looks like a secret is masked in both
// formats.
import { countedText } from '../../text/amounts.ts';
import { masked } from '../../text/masking.ts';
import { visible } from '../../text/visible.ts';
import { LEVELS, type Level, type Line, type Log, type LogKeys } from './log.ts';
import { LogOutput } from './log-output.ts';
import { headOf } from '../../text/cut.ts';

export type LogFormat = 'text' | 'json';

export interface LogOptions {
  readonly format: LogFormat;
  /** Lowest level that is logged. */
  readonly level: Level;
}

/** Maximum characters of one text in a line, enough for a stack trace. */
const LONGEST_TEXT = 8000;

/** Returns a function that writes lines to `fd`, a descriptor whose writes do not block. */
export async function openLog({ format, level }: LogOptions, fd: number): Promise<Log> {
  const form = format === 'json' ? (await import('./json-form.ts')).jsonForm() : textForm;
  const output = new LogOutput(fd, (count) =>
    form('warn', `${countedText(count, 'log line')} could not be written here`, {
      event: 'linesMissing',
      count,
    }),
  );
  // The last lines are written if the reader still accepts them.
  process.once('exit', () => output.flush());
  const least = LEVELS.indexOf(level);
  return (lineLevel, sentence, keys) => {
    if (LEVELS.indexOf(lineLevel) < least) return;
    output.write(form(lineLevel, shortMasked(sentence), maskedIn(keys) as LogKeys));
  };
}

/**
 * Only errors retain their line breaks, for stack traces; further lines are indented, so that none looks like a
 * log line.
 */
function textForm(...[level, sentence]: Line): string {
  const lines = sentence.split('\n').map((line) => visible(line));
  return `${new Date().toISOString()} ${lines.join(level === 'error' ? '\n  ' : '\\n')}\n`;
}

/** Secrets are masked before truncation, because half a secret would not be recognized. */
const shortMasked = (text: string): string => headOf(masked(text), LONGEST_TEXT);

function maskedIn(value: unknown): unknown {
  if (typeof value === 'string') return shortMasked(value);
  if (Array.isArray(value)) return value.map(maskedIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskedIn(each)]));
}
