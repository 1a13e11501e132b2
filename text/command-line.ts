// Formats commands for people: quoted for a shell, with hidden and reordering characters made visible.
import type { ProcessInfo } from '../protocol/console.ts';
import { visible } from './visible.ts';

/** Returns one argument quoted for a POSIX shell. */
export function shellQuote(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}

/** Returns the whole command on one line. */
export function commandLine(argv: readonly string[]): string {
  return visible(argv.map(shellQuote).join(' '));
}

const SHELL = /^(?:.*\/)?(?:ba|z|da|k|fi)?sh$/;
const RUNS_SCRIPT = /^-[a-z]*c$/;

/**
 * Returns the script of a command such as `sh -c SCRIPT` without further arguments; null for other commands and for
 * a blank script.
 */
export function scriptOf(argv: readonly string[]): string | null {
  const [program = '', flag = '', script = '', ...rest] = argv;
  const runsScript = SHELL.test(program) && RUNS_SCRIPT.test(flag) && rest.length === 0;
  return runsScript && script.trim() !== '' ? script : null;
}

/** Returns a shell's script if there is one, otherwise the whole command. */
export function shortCommand(argv: readonly string[]): string {
  const script = scriptOf(argv);
  return script === null ? commandLine(argv) : visible(script.trim());
}

/** Length beyond which a path is shortened to its end. */
const LONG_PATH = 28;
const PATH_PARTS = 2;

/**
 * Returns the command for a row: a shell's script, or the program's base name and its arguments, with long paths
 * shortened to their ends so that differences stay visible.
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

/** Returns the last part of a path that begins with `/`, `./`, `../` or `~/`; other words are returned unchanged. */
export function baseName(word: string): string {
  const isPath = /^[.~]{0,2}\//.test(word);
  return isPath ? (word.split('/').findLast((part) => part !== '') ?? word) : word;
}

/** Returns the label of a process, or its command if it has none. */
export function processName({ label, argv }: Pick<ProcessInfo, 'label' | 'argv'>): string {
  return label === null ? shortCommand(argv) : visible(label);
}
