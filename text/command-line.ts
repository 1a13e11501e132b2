// A command as a person reads it: quoted as a shell would need it, with nothing in it that hides or reorders text.
import type { ProcessInfo } from '../protocol/console.ts';
import { visible } from './visible.ts';

/** One argument as a POSIX shell would have to be given it. */
export function shellQuote(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** The whole command on one line. */
export function commandLine(argv: readonly string[]): string {
  return visible(argv.map(shellQuote).join(' '));
}

const SHELL = /^(?:.*\/)?(?:ba|z|da|k|fi)?sh$/;
const RUNS_SCRIPT = /^-[a-z]*c$/;

/** Returns the script of a shell command that has nothing else; null for anything else, and for a script of blanks. */
export function scriptOf(argv: readonly string[]): string | null {
  const [program = '', flag = '', script = '', ...rest] = argv;
  const runsScript = SHELL.test(program) && RUNS_SCRIPT.test(flag) && rest.length === 0;
  return runsScript && script.trim() !== '' ? script : null;
}

/** The part that a person looks for: of a script for a shell the script, of anything else the whole. */
export function shortCommand(argv: readonly string[]): string {
  const script = scriptOf(argv);
  return script === null ? commandLine(argv) : visible(script.trim());
}

/** A longer path is shortened to its end. */
const LONG_PATH = 28;
const PATH_PARTS = 2;

/**
 * Returns the command for a row: the program by its name, long paths by their ends, so that differences stay visible.
 */
export function briefCommand(argv: readonly string[]): string {
  const script = scriptOf(argv);
  if (script !== null) return visible(script.trim());
  const [program = '', ...rest] = argv;
  return visible([shellQuote(lastParts(program, 1)), ...rest.map(briefArgument)].join(' '));
}

function briefArgument(argument: string): string {
  const [, option = '', path = ''] = /^(-[^=/]*=)?(.*)$/s.exec(argument) ?? [];
  const isLong = path.length > LONG_PATH && /^[.~]{0,2}\/[^\s]*$/.test(path);
  return isLong ? `${option}…/${lastParts(path, PATH_PARTS)}` : shellQuote(argument);
}

const lastParts = (path: string, most: number): string =>
  path
    .split('/')
    .filter((part) => part !== '')
    .slice(-most)
    .join('/') || path;

/** The last part of a path, and anything else as it is. */
export function baseName(word: string): string {
  const isPath = /^[.~]{0,2}\//.test(word);
  return isPath ? (word.split('/').findLast((part) => part !== '') ?? word) : word;
}

/** Returns the name of a process: the label that a person gave it, else its command. */
export function processName({ label, argv }: Pick<ProcessInfo, 'label' | 'argv'>): string {
  return label === null ? shortCommand(argv) : visible(label);
}
