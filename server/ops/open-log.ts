// The log with the configured level and format. Text that looks like a secret is covered in both formats.
import { masked } from '../../text/masking.ts';
import { visible } from '../../text/visible.ts';
import { LEVELS, type Level, type Line, type Log, type LogKeys } from './log.ts';
import { LogOutput } from './log-output.ts';

export type LogFormat = 'text' | 'json';

export interface LogOptions {
  readonly format: LogFormat;
  /** The lowest level that is logged. */
  readonly level: Level;
}

/** Most characters of one text in a line; a stack is no longer. */
const LONGEST_TEXT = 8000;

/** `fd` is one on which writing does not wait. */
export async function openLog({ format, level }: LogOptions, fd: number): Promise<Log> {
  const form = format === 'json' ? (await import('./json-form.ts')).jsonForm() : textForm;
  const output = new LogOutput(fd, (count) =>
    form('warn', `${count} lines of the log are missing here: nobody took them`, {
      event: 'linesMissing',
      count,
    }),
  );
  // The last lines are written as far as there is still a reader.
  process.once('exit', () => output.flush());
  const least = LEVELS.indexOf(level);
  return (lineLevel, sentence, keys) => {
    if (LEVELS.indexOf(lineLevel) < least) return;
    output.write(form(lineLevel, covered(sentence), coveredIn(keys) as LogKeys));
  };
}

/** Only a stack has several lines, and none of them can be mistaken for another line of the log. */
function textForm(...[level, sentence]: Line): string {
  const lines = sentence.split('\n').map((line) => visible(line));
  return `${new Date().toISOString()} ${lines.join(level === 'error' ? '\n  ' : '\\n')}\n`;
}

/** Secrets are covered before the text is cut, since half of one would not be recognised. */
const covered = (text: string): string => masked(text).slice(0, LONGEST_TEXT);

function coveredIn(value: unknown): unknown {
  if (typeof value === 'string') return covered(value);
  if (Array.isArray(value)) return value.map(coveredIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, coveredIn(each)]));
}
