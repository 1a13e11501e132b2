// Detects shells at their own prompt, which are idle rather than waiting for input.
import { readFileSync } from 'node:fs';
import { deviceOf } from './sleeping-in.ts';

const SHELLS: ReadonlySet<string> = new Set([
  'ash',
  'bash',
  'csh',
  'dash',
  'fish',
  'ksh',
  'ksh93',
  'mksh',
  'rbash',
  'sh',
  'tcsh',
  'zsh',
]);

/** Options whose value is the next argument, besides `-o` and `-O`. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '--rcfile',
  '--init-file',
  '--init-command',
  '--emulate',
  '-C',
]);
const CLUSTER = /^[-+][A-Za-z]/;

/**
 * Returns true for a shell at its prompt; call it only for a process that sleeps until its terminal is readable.
 * `device` is the terminal's device number.
 */
export function isAtPrompt(pid: number, device: number): boolean {
  // A shell whose stdin is a pipe or file reads its commands from there; if it reads the terminal, one of these
  // commands is waiting for input.
  return isInteractiveShell(argvOf(pid)) && deviceOf(pid, 0) === device;
}

/** Returns true for the arguments of a shell that reads commands from stdin, neither from a file nor from `-c`. */
export function isInteractiveShell([program = '', ...args]: readonly string[]): boolean {
  // The name of a login shell begins with a hyphen, as in `-bash`.
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  if (!SHELLS.has(name)) return false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '-' || arg === '--') return at === args.length - 1;
    if (/^--command(=|$)/.test(arg)) return false;
    if (WITH_VALUE.has(arg)) at += 1;
    else if (CLUSTER.test(arg)) {
      if (arg.includes('c')) return false;
      // The option `-s` makes later arguments positional parameters, not a script.
      if (arg.includes('s')) return true;
      if (/[oO]$/.test(arg)) at += 1;
    } else if (!arg.startsWith('--')) return false;
  }
  return true;
}

function argvOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
  } catch {
    return [];
  }
}
