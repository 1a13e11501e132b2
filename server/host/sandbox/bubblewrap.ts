// Builds the command line that runs a command inside bubblewrap under a policy.
import { unpacking } from './carried.ts';
import { machineEntries, writableKernelMounts } from './kernel-files.ts';
import { checked } from './mounts.ts';
import { depth, foldersAbove, isWithin, withPins, type Command, type Place, type Policy } from './policy.ts';

export interface Means {
  /** Command line that becomes bwrap, without bwrap's arguments. */
  readonly bwrap: readonly string[];
  /** Path of the file with the filter for the policy's network. */
  readonly filter: string;
}

/**
 * The shell opens the filter, since a child is passed only three descriptors, and replaces itself with bwrap. bwrap
 * is in the command's process group, so a signal to the group would kill bwrap, and thus the command, even if the
 * command handles the signal. So bwrap ignores INT, QUIT, TERM and HUP, whose defaults are restored inside.
 */
const OPEN_FILTER = 'trap "" INT QUIT TERM HUP; exec "$@" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9<"$0"';
const AS_USUAL = '--default-signal=INT,QUIT,TERM,HUP';

/** The variable prevents perl's warnings about the locale; it is removed again unless the command has one of its own. */
const QUIET = 'PERL_BADLANG';
const UNDER_NAME =
  '@SIG{qw(INT QUIT TERM HUP)} = ("DEFAULT") x 4; exec { shift } @ARGV; print STDERR "$!\\n"; exit 127';

/** Returns the argv that runs `command` in the sandbox; start it with `carried(command.env)` as its environment. */
export function sandboxedArgv(policy: Policy, command: Command, { bwrap, filter }: Means): string[] {
  const { argv, env, cwd } = command;
  const [program = '', ...args] = argv;
  const mounted = withPins(policy);
  // env would treat a name with `=` as a variable.
  const arg0 = command.arg0 ?? (program.includes('=') ? program : null);
  const inside =
    arg0 === null
      ? ['/usr/bin/env', AS_USUAL, ...unpacking(env), program, ...args]
      : ['/usr/bin/env', ...unpacking(env), ...underName(env), '--', program, arg0, ...args];
  return [
    '/bin/sh',
    '-c',
    OPEN_FILTER,
    filter,
    ...bwrap,
    ...bwrapArgs(mounted, cwd),
    '--',
    ...checked(mounted),
    ...inside,
  ];
}

/** Returns the program and the script that start a command under another name. */
function underName(env: Command['env']): string[] {
  return QUIET in env
    ? ['/usr/bin/perl', '-e', UNDER_NAME]
    : [`${QUIET}=0`, '/usr/bin/perl', '-e', `delete $ENV{${QUIET}}; ${UNDER_NAME}`];
}

/**
 * bwrap's files in /proc inside the sandbox; a command with access to its memory could keep the sandbox
 * running after its leader has ended. They are at this path because of `--unshare-pid`.
 */
const BWRAP_INSIDE = { path: '/proc/1', kind: 'folder' } as const;

export function bwrapArgs(policy: Policy, cwd: string): string[] {
  const [root, ...inner] = policy.grants;
  return [
    '--unshare-user',
    '--disable-userns',
    '--unshare-pid',
    '--unshare-ipc',
    ...(policy.network === 'restricted' ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    root?.access === 'write' ? '--bind' : '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...machineEntries().flatMap(readOnly),
    ...inner
      .filter(isReachable(policy))
      .flatMap(({ path, access, kind }) =>
        kind === 'missing' ? emptied(path) : [access === 'write' ? '--bind' : '--ro-bind', path, path],
      ),
    ...writableKernelMounts(policy.grants).flatMap(readOnly),
    // Masks follow all binds, so that denied places stay denied, whatever is allowed around or inside them.
    ...[BWRAP_INSIDE, ...policy.denied].flatMap(mask),
    '--seccomp',
    '9',
    '--chdir',
    cwd,
  ];
}

/**
 * Returns the missing places that must exist to be mounted on, and those that exist only for another sandbox,
 * for which `isHeld` returns true; outer ones first.
 */
export const placeholders = (policy: Policy, isHeld: (path: string) => boolean): string[] => {
  const mounted = [...policy.grants.filter(isReachable(policy)), ...policy.denied];
  const missing = mounted.filter(({ kind }) => kind === 'missing').map(({ path }) => path);
  const above = missing.flatMap(foldersAbove);
  const existing = mounted.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const held = [...new Set([...above, ...existing])].filter(isHeld);
  return [...new Set([...held, ...missing])].toSorted((a, b) => depth(a) - depth(b));
};

const isReachable =
  ({ denied }: Policy) =>
  ({ path }: Place): boolean =>
    !denied.some((place) => isWithin(path, place.path));

const readOnly = (path: string): string[] => ['--ro-bind', path, path];

const emptied = (path: string): string[] => ['--perms', '0555', '--tmpfs', path, '--remount-ro', path];

/**
 * Returns the options of bwrap that mask a denied place. Not even /dev/null can be opened there, since bwrap binds it
 * with `nodev`.
 */
const mask = ({ path, kind }: Place): string[] =>
  kind === 'file'
    ? ['--ro-bind', '/dev/null', path]
    : ['--perms', '0000', '--tmpfs', path, '--remount-ro', path];
