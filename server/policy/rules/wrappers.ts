// Lists programs that run another one, and finds the command in their words.
import { basename } from 'node:path';
import { changesWhatRuns } from './variables.ts';

/** Form of the words of a wrapper: options, then operands, then the program with its words. */
interface Form {
  /** Letters of the options without a value that do not change what runs. */
  readonly flags: string;
  /** Letters of the options with a value that do not change what runs. */
  readonly valued: string;
  /** Number of words between the options and the program. */
  readonly operands: number;
}

/**
 * Wrappers of a known form: options without a value (`-ab`), options with a value (`-ab=`), and operands.
 * With any other option it is uncertain what they run.
 */
const FORMS: ReadonlyMap<string, Form> = new Map(
  `
  arch
  busybox
  caffeinate -dimsu -tw=
  catatonit
  cgexec
  choom -n=
  chpst
  chronic -ev
  chrt -bfior PRIORITY
  command
  cpulimit
  dbus-run-session
  doas -n
  dumb-init
  eatmydata
  env
  envuidgid USER
  exec
  fakeroot
  faketime TIME
  flock -Fenosux -Ew= FILE
  gosu USER
  i386
  ionice -t -cn=
  linux32
  linux64
  ltrace
  nice -0123456789 -n=
  nohup
  nsenter
  numactl
  pkexec
  prlimit
  proxychains
  proxychains4
  rlwrap
  runcon CONTEXT
  setlock -NXnx FILE
  setpriv
  setsid -cfw
  setuidgid USER
  softlimit
  ssh-agent
  stdbuf -eio=
  strace
  su-exec USER
  sudo -n
  systemd-inhibit
  taskset -ac MASK
  time -pv
  timeout -fpv -ks= DURATION
  tini
  torsocks
  toybox
  unbuffer
  unshare
  valgrind
  x86_64
  xargs -0rtx -LPdns=
  xvfb-run -a
  `
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', ...words] = line.trim().split(' ');
      const lettersOf = (pattern: RegExp): string =>
        words.map((word) => pattern.exec(word)?.[1] ?? '').join('');
      const operands = words.filter((word) => !word.startsWith('-')).length;
      return [name, { flags: lettersOf(/^-(\w+)$/), valued: lettersOf(/^-(\w+)=$/), operands }];
    }),
);

/**
 * Wrappers whose command is always uncertain. Most of them run their words in a shell or their own language, in another
 * root folder or on another machine, or add words from another source.
 */
const UNCERTAIN = new Set(
  (
    'autossh batch builtin bwrap capsh chroot cross-env daemonize direnv entr envdir eval firejail flatpak-spawn gdb ' +
    'hyperfine login mosh newgrp nix-shell nodemon parallel perf proot rsh run0 runuser screen script sem setarch sg ssh ' +
    'sshpass start-stop-daemon su systemd-run tmux trap watch watchexec wsl xterm'
  ).split(' '),
);
/** Dynamic loader, which searches other folders for the program that it runs. */
const LOADER = /^ld-(?:linux|musl).*\.so\.\d$/;

/** Wrappers that run no shell when they have no command. */
const HARMLESS_ALONE = new Set(
  'arch chrt env flock ionice ltrace nice nohup numactl prlimit setpriv stdbuf strace taskset time timeout xargs'.split(
    ' ',
  ),
);
/** Wrappers that accept assignments of variables before the program. */
const ASSIGNING = new Set(['env', 'sudo']);

/** Programs of GNU that have a `g` before their name where the system has its own, as on macOS. */
const OF_GNU = /^g(?=(?:chroot|env|find|nice|nohup|stdbuf|time|timeout|xargs)$)/;

/** Returns the name of a program without its folder and the `g` of GNU's programs. */
export const nameOf = (program: string): string => basename(program).replace(OF_GNU, '');

export const isWrapper = (program: string): boolean => {
  const name = nameOf(program);
  return FORMS.has(name) || UNCERTAIN.has(name) || LOADER.test(name);
};

/** Returns the command that a wrapper runs; null when it is uncertain. The command is empty when it runs none. */
export function wrappedBy([program = '', ...rest]: readonly string[]): readonly string[] | null {
  const name = nameOf(program);
  const form = FORMS.get(name);
  const from = form ? afterOptions(form, rest) : null;
  if (!form || from === null) return null;
  let at = from;
  while (ASSIGNING.has(name)) {
    const [, variable, value = ''] = /^(\w+)=(.*)$/s.exec(rest[at] ?? '') ?? [];
    if (variable === undefined) break;
    if (changesWhatRuns(variable, value)) return null;
    at += 1;
  }
  const command = rest.slice(at + form.operands);
  if (command.length === 0) return HARMLESS_ALONE.has(name) ? [] : null;
  // Programs differ in how they read an option after the operands, as in `flock FILE -c SCRIPT`.
  return command[0]?.startsWith('-') ? null : command;
}

/** Returns the index of the first word after the options; null when an option is unknown. */
function afterOptions({ flags, valued }: Form, words: readonly string[]): number | null {
  let at = 0;
  while (words[at]?.startsWith('-')) {
    const letters = words[at]?.slice(1) ?? '';
    at += 1;
    if (letters === '-') return at;
    if (letters === '') return null;
    let end = 0;
    while (end < letters.length && flags.includes(letters.charAt(end))) end += 1;
    if (end === letters.length) continue;
    if (!valued.includes(letters.charAt(end))) return null;
    // The value is the rest of the word, or the next one.
    if (end === letters.length - 1) at += 1;
  }
  return at;
}
