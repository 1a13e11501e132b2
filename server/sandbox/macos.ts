// A policy and a command → the command under macOS's sandbox-exec. Tested as text; nobody has run it.
import type { Command, Policy } from './policy.ts';

const UNDER_NAME = ['/usr/bin/perl', '-e', 'exec { shift } @ARGV', '--'];

export function seatbeltArgv(policy: Policy, { argv, arg0 }: Command): string[] {
  const [program = '', ...args] = argv;
  const named = arg0 === null ? argv : [...UNDER_NAME, program, arg0, ...args];
  return ['/usr/bin/sandbox-exec', '-p', seatbeltProfile(policy), '--', ...named];
}

/** The last rule that fits decides, so outer comes before inner and what is denied comes last. */
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
