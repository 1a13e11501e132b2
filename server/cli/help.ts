// Creates the text of --help: usage, summary, description, flags with their defaults, examples and exit codes.
import type { FlagSpec, FlagSpecs } from './arguments.ts';
import type { Subcommand } from './subcommand.ts';

const WIDTH = 100;
const FLAG_COLUMN = 28;

/** Exit codes of all commands without `hasOwnCodes`. */
const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'Done'],
  ['1', 'Failed'],
  ['2', 'The command line is invalid'],
];
const GATEWAY_EXIT_CODES: typeof EXIT_CODES = [
  ['3', 'No gateway is running, or it cannot be reached'],
  ['4', 'Refused: the token is invalid, or its role does not allow this'],
  ['6', 'The connection was lost and could not be restored'],
];
const PROCESS_EXIT_CODES: typeof EXIT_CODES = [['5', 'No matching process, or more than one']];

export function helpOf(command: Subcommand, sharedFlags: FlagSpecs): string {
  const { flags, isLocal = false, hasOwnCodes = false } = command;
  // A later entry replaces an earlier one with the same code.
  const codes = new Map([
    ...(hasOwnCodes ? [] : EXIT_CODES),
    ...(isLocal || hasOwnCodes ? [] : GATEWAY_EXIT_CODES),
    ...(typeof command.completes === 'string' ? PROCESS_EXIT_CODES : []),
    ...(command.exitCodes ?? []),
  ]);
  return [
    `Usage: exec-console ${command.usage}`,
    `${command.summary}.`,
    ...command.help
      .split('\n\n')
      .map((paragraph) => wrapped(paragraph.replaceAll('\n', ' '), WIDTH).join('\n')),
    ...section('Commands', entryLines((command.acts ?? []).map(({ usage, about }) => [usage, about]))),
    ...section('Flags', flagLines(isLocal ? { ...flags, ...sharedFlags } : flags)),
    ...(isLocal ? [] : section('Gateway flags', flagLines(sharedFlags))),
    ...section(
      'Examples',
      command.examples.map(
        (line) => `  ${line === '' || line.includes('exec-console') ? line : `exec-console ${line}`}`,
      ),
    ),
    ...section(
      'Exit codes',
      entryLines(
        [...codes]
          .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
          .map(([code, meaning]) => [code.padEnd(3), meaning]),
        9,
      ),
    ),
  ].join('\n\n');
}

/** Returns the number of an exit code, for sorting; `…`, which stands for all other codes, comes last. */
const placeOf = (code: string): number => (code === '…' ? Infinity : Number(code));

export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[`${title}:`, ...lines].join('\n')];
}

/** Returns one line for each flag, or several where its text is long. */
export function flagLines(flags: FlagSpecs): string[] {
  return entryLines(Object.entries(flags).map(([name, spec]) => [spelled(name, spec), spec.about]));
}

function spelled(name: string, { short, value }: FlagSpec): string {
  return `${short === undefined ? '   ' : `-${short},`} --${name}${value === undefined ? '' : ` ${value}`}`;
}

/** Returns the lines of two columns; a left cell that is too long gets a line of its own. */
export function entryLines(
  entries: readonly (readonly [left: string, right: string])[],
  column = FLAG_COLUMN,
): string[] {
  return entries.flatMap(([left, right]) => {
    const head = `  ${left}`;
    const [first = '', ...rest] = wrapped(right, WIDTH - column);
    const lines = rest.map((line) => `${' '.repeat(column)}${line}`);
    return head.length < column - 1
      ? [`${head.padEnd(column)}${first}`, ...lines]
      : [head, `${' '.repeat(column)}${first}`, ...lines];
  });
}

/** Splits into lines between words; a line exceeds `width` characters only when a single word does. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
