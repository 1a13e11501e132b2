// Programs that run another one, and the commands inside a command.
import { basename } from 'node:path';
import { changesWhatRuns } from './variables.ts';

/** Names of shells, in any version. */
const SHELL =
  /^(?:r?bash|sh|[dal]?ash|[mp]?dksh|(?:[lmor]|lo)?ksh|posh|yash|r?zsh|fish|t?csh|rc|nu|xonsh|elvish)(?:[-.]?\d[\d.]*|-static)*$/;
/** Shells whose script syntax `plainScript` understands. */
const READ_ALIKE = new Set(['sh', 'bash', 'zsh', 'dash']);

/** Programs that run the rest of their words, after options, as a command. */
const WRAPPERS = new Set(
  (
    'arch batch busybox bwrap caffeinate capsh catatonit cgexec choom chpst chronic chroot chrt command cpulimit ' +
    'dbus-run-session doas dumb-init eatmydata entr env exec builtin eval fakeroot faketime firejail flock gdb gosu ' +
    'hyperfine i386 ionice linux32 linux64 ltrace nice nohup nsenter numactl parallel pkexec prlimit proot proxychains ' +
    'proxychains4 rlwrap run0 runcon runuser screen script setarch setlock setpriv setsid sg softlimit ssh ssh-agent ' +
    'stdbuf strace su su-exec sudo systemd-inhibit systemd-run taskset time timeout tini tmux torsocks ' +
    'toybox trap unshare unbuffer valgrind watch x86_64 xargs xterm xvfb-run'
  ).split(' '),
);
/** Wrappers that run no shell when they have no command. */
const HARMLESS_ALONE = new Set(
  'arch chrt env ionice ltrace nice nohup numactl prlimit setpriv stdbuf strace taskset time timeout xargs'.split(
    ' ',
  ),
);
/** Wrappers that add words from elsewhere to their command. */
const ADDING_WORDS = new Set(['xargs', 'parallel', 'entr', 'watch']);
/** The loader of programs, which runs the one that it is given. */
const LOADER = /^ld-(?:linux|musl).*\.so\.\d$/;

/** Flags of `find` that are followed by a command, up to `;` or `+`. */
const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** A number or a time, as in `timeout 10s` and `nice -n 5`. */
const AMOUNT = /^[\d.]+[smhdKMGT]?$/;

/** Limits of the search for a command within a long command: the number of places, and the length of each. */
const MOST_PLACES = 64;

export const isShell = (program: string): boolean => SHELL.test(basename(program));

export const isWrapper = (program: string): boolean =>
  WRAPPERS.has(basename(program)) || LOADER.test(basename(program));

/** Options that are followed by a script, or contain it. */
const SCRIPT_OPTION = /^-[A-Za-z]*[cC]|^--(?:init-)?commands?(?:=|$)/;

/** Returns a shell's script, and whether the shell has no other arguments; null for any other program. */
export function scriptIn(
  words: readonly string[],
): { readonly script: string; readonly isAlone: boolean } | null {
  const [program = '', ...rest] = words;
  if (!isShell(program)) return null;
  const at = rest.findIndex((word) => SCRIPT_OPTION.test(word));
  if (at === -1) return null;
  // Options may stand between `-c` and the script.
  const script = rest.slice(at + 1).find((word) => !/^[-+]/.test(word)) ?? '';
  const isAlone = READ_ALIKE.has(basename(program)) && /^-l?c$/.test(rest[0] ?? '') && rest.length === 2;
  return { script, isAlone };
}

export interface Inside {
  /** Commands that are certain to run. */
  readonly exact: readonly (readonly string[])[];
  /** True when the program may run a command that is not in `exact`. */
  readonly isOpaque: boolean;
}

/** Returns the commands that a command runs besides itself; null when there are none. */
export function inside(words: readonly string[]): Inside | null {
  const [program = '', ...rest] = words;
  if (basename(program) === 'find') return insideFind(rest);
  if (!isWrapper(program)) return null;
  let at = 0;
  let isOpaque = false;
  while (at < rest.length) {
    const word = rest[at] ?? '';
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) isOpaque ||= changesWhatRuns(name, value);
    else if (word.startsWith('-')) isOpaque ||= !/^(?:--|-[0n]|-\d+)$/.test(word);
    else if (!AMOUNT.test(word)) break;
    at += 1;
  }
  const command = rest.slice(at);
  const runsShell = command.length === 0 && !HARMLESS_ALONE.has(basename(program));
  const addsWords = ADDING_WORDS.has(basename(program)) && runsItsArguments(command);
  isOpaque ||= runsShell || addsWords;
  // A word with a blank or an operator may be a script.
  isOpaque ||= command.some((word) => /[\s;&|`$<>(){}]/.test(word));
  return { exact: command.length === 0 ? [] : [command], isOpaque };
}

/** Returns true for a command that would run words added at its end. */
function runsItsArguments(command: readonly string[]): boolean {
  const [program = ''] = command;
  if (isShell(program)) return scriptIn(command) === null;
  if (basename(program) === 'find') return true;
  const within = isWrapper(program) ? inside(command) : null;
  const last = within?.exact.at(-1);
  return within !== null && (last === undefined || runsItsArguments(last));
}

function insideFind(rest: readonly string[]): Inside | null {
  const exact: string[][] = [];
  let command: string[] | null = null;
  for (const word of rest) {
    // A `+` elsewhere is an argument.
    const isEnd = word === ';' || (word === '+' && command?.at(-1) === '{}');
    if (command && !isEnd) command.push(word);
    if (command && isEnd) command = null;
    if (!command && FIND_RUNS.has(word)) exact.push((command = []));
  }
  return exact.length === 0 ? null : { exact, isOpaque: exact.some(isEmpty) };
}

const isEmpty = (words: readonly string[]): boolean => words.length === 0;

/** Returns the possible commands, one beginning at each word, and within a word after the name of an option. */
export function tailsOf(words: readonly string[]): readonly (readonly string[])[] {
  return words.slice(0, MOST_PLACES).flatMap((word, at) => {
    const rest = words.slice(at + 1, at + MOST_PLACES);
    return [word, ...valuesIn(word)].map((first) => [first, ...rest]);
  });
}

/** Limit of the letters of options that stand in one word before a value. */
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
