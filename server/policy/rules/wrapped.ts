// Finds the commands that another command runs, as in `find -exec` and `xargs`, and the script of a shell.
import { basename } from 'node:path';
import { runsOption } from './command-options.ts';
import { isWrapper, nameOf, wrappedBy } from './wrappers.ts';

const SHELL =
  /^(?:r?bash|sh|[dal]?ash|[mp]?dksh|(?:[lmor]|lo)?ksh|posh|yash|r?zsh|fish|t?csh|rc|nu|xonsh|elvish)(?:[-.]?\d[\d.]*|-static)*$/;
/** Shells whose scripts `plainScript` can parse. */
const READ_ALIKE = new Set(['sh', 'bash', 'zsh', 'dash']);

/** Wrappers that add words from their input to their command. */
const ADDING_WORDS = new Set(['xargs']);

/** Flags of `find` that are followed by a command, up to `;` or `+`. */
const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** Maximum length, in words, of a possible command within a command. */
const MOST_WORDS = 64;

export const isShell = (program: string): boolean => SHELL.test(basename(program));

/** Options whose value is a script, in the next word or in the same one. */
const SCRIPT_OPTION = /^-[A-Za-z]*[cC]|^--(?:init-)?commands?(?:=|$)/;

/**
 * Returns a shell's script; null for a shell without a script, and for any other program. `isAlone` is true when
 * `plainScript` can parse scripts of this shell, and its only arguments are `-c` or `-lc` and the script.
 */
export function scriptIn(
  words: readonly string[],
): { readonly script: string; readonly isAlone: boolean } | null {
  const [program = '', ...rest] = words;
  if (!isShell(program)) return null;
  const at = rest.findIndex((word) => SCRIPT_OPTION.test(word));
  if (at === -1) return null;
  // Options may appear between `-c` and the script.
  const script = rest.slice(at + 1).find((word) => !/^[-+]/.test(word)) ?? '';
  const isAlone = READ_ALIKE.has(basename(program)) && /^-l?c$/.test(rest[0] ?? '') && rest.length === 2;
  return { script, isAlone };
}

export interface Inside {
  /** Commands that the program runs, as far as they are known. */
  readonly exact: readonly (readonly string[])[];
  /** True when the program may run a command that is not in `exact`. */
  readonly isOpaque: boolean;
}

/** Returns the commands that a wrapper, `find` or an option runs; null for other programs, and without a command. */
export function inside(words: readonly string[]): Inside | null {
  const [program = '', ...rest] = words;
  if (nameOf(program) === 'find') return insideFind(rest);
  if (!isWrapper(program)) return runsOption(basename(program), rest) ? { exact: [], isOpaque: true } : null;
  const command = wrappedBy(words);
  if (command === null) return { exact: [], isOpaque: true };
  const addsWords = ADDING_WORDS.has(nameOf(program)) && runsItsArguments(command);
  // A word with a blank or an operator may be a script.
  const isOpaque = addsWords || command.some((word) => /[\s;&|`$<>(){}]/.test(word));
  return { exact: command.length === 0 ? [] : [command], isOpaque };
}

/** Returns true for a command that would run words added at its end. */
function runsItsArguments(command: readonly string[]): boolean {
  const [program = ''] = command;
  if (isShell(program)) return scriptIn(command) === null;
  if (nameOf(program) === 'find') return true;
  const within = isWrapper(program) ? inside(command) : null;
  const last = within?.exact.at(-1);
  return within !== null && (last === undefined || runsItsArguments(last));
}

function insideFind(rest: readonly string[]): Inside | null {
  const exact: string[][] = [];
  let command: string[] | null = null;
  for (const word of rest) {
    // A `+` ends the command only after `{}`; elsewhere it is an argument.
    const isEnd = word === ';' || (word === '+' && command?.at(-1) === '{}');
    if (command && !isEnd) command.push(word);
    if (command && isEnd) command = null;
    if (!command && FIND_RUNS.has(word)) exact.push((command = []));
  }
  return exact.length === 0 ? null : { exact, isOpaque: exact.some(isEmpty) };
}

const isEmpty = (words: readonly string[]): boolean => words.length === 0;

/** Yields the possible commands: one from each word on, and one from each value that follows an option in its word. */
export function* tailsOf(words: readonly string[]): Generator<readonly string[]> {
  for (const [at, word] of words.entries()) {
    const rest = words.slice(at + 1, at + MOST_WORDS);
    for (const first of [word, ...valuesIn(word)]) yield [first, ...rest];
  }
}

/** Maximum number of option letters before a value in the same word. */
const MOST_LETTERS = 4;

/** Returns the possible values of an option in the same word, as in `--command=VALUE`, `-cVALUE` and `-xcVALUE`. */
function valuesIn(word: string): readonly string[] {
  const [long] = /^--[\w-]+=/.exec(word) ?? [];
  if (long !== undefined) return [word.slice(long.length)];
  const [letters = ''] = /^-[A-Za-z]+/.exec(word) ?? [];
  return Array.from({ length: Math.min(letters.length, MOST_LETTERS + 1) }, (_, at) => word.slice(at + 1))
    .slice(1)
    .filter(Boolean);
}
