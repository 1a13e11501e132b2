// Builds the command line that runs a command under macOS's sandbox-exec. Tested as text only, never run.
import { unpacking } from './carried.ts';
import type { Command, Policy } from './policy.ts';

const UNDER_NAME = ['/usr/bin/perl', '-e', 'exec { shift } @ARGV', '--'];

/** Returns the argv that runs `command` in the sandbox; start it with `carried(command.env)` as its environment. */
export function seatbeltArgv(policy: Policy, command: Command): string[] {
  const { argv, env } = command;
  const [program = '', ...args] = argv;
  // The program `env` would treat a program name with `=` as a variable.
  const arg0 = command.arg0 ?? (program.includes('=') ? program : null);
  const named = arg0 === null ? argv : [...UNDER_NAME, program, arg0, ...args];
  return [
    '/usr/bin/sandbox-exec',
    '-p',
    seatbeltProfile(policy),
    '--',
    '/usr/bin/env',
    ...unpacking(env),
    ...named,
  ];
}

/**
 * Returns the profile in the language of sandbox-exec, in which the last matching rule decides: outer rules precede
 * inner ones, and denied places come last.
 */
export function seatbeltProfile({ grants, denied, network }: Policy): string {
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork sysctl-read mach-lookup file-ioctl pseudo-tty)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow file-read*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    ...grants.map(({ path, access }) => `(${access === 'write' ? 'allow' : 'deny'} file-write* ${at(path)})`),
    ...(network === 'enabled' ? ['(allow network* system-socket)'] : []),
    ...denied.map(({ path }) => `(deny file-read* file-write* ${at(path)})`),
    '',
  ].join('\n');
}

const at = (path: string): string => `(subpath "${path.replace(/["\\]/g, '\\$&')}")`;
