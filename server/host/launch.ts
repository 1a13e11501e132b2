// Starts an OS process on given descriptors or on a terminal, as the gateway's user or as another.
import { spawn } from 'node:child_process';
import { closeSync, constants as files, openSync } from 'node:fs';
import { constants } from 'node:os';
import type { ChildExit, ChildSpec } from './child.ts';
import { type Lineage, withLineage } from './lineage.ts';
import { entersFolder, onceReaped, posixSpawn, type Program, type Stdio } from './posix-spawn.ts';
import { whatIsMissing } from './starved.ts';
import { identityOf, PERL, type User } from './user.ts';

export interface Launch extends Program {
  readonly stdio: Stdio;
  readonly user: User | null;
}

/** A started process, which leads its own OS session. */
export interface Launched {
  readonly pid: number;
  readonly lineage: Lineage;
  /** Sets the only listener for the exit, called when the process is reaped. */
  onExit(listener: (exit: ChildExit) => void): void;
}

/** ioctl: makes the terminal on stdin the controlling terminal of the session. */
const TIOCSCTTY = process.platform === 'darwin' ? 0x2000_7461 : 0x540e;

/** Perl code that makes the terminal on stdin the controlling one, before perl replaces itself with the program. */
const TAKE_TERMINAL = `ioctl STDIN, ${TIOCSCTTY}, 0`;
/**
 * Changes to the folder in the user's process, since the gateway can enter folders that the user cannot; also
 * used where posix_spawn cannot change to it.
 */
const ENTER = 'chdir shift or do { print STDERR "cannot enter the working directory: $!\\n"; exit 126 }';

/** /dev/null, also used as stdin of a child that has none. */
export const nothing = openSync('/dev/null', 'r+');

/** Returns the arguments as the program sees them. */
export const argvOf = ({ argv, arg0 }: ChildSpec): readonly string[] =>
  arg0 === null ? argv : [arg0, ...argv.slice(1)];

export function launch(asked: Launch): Launched {
  if (asked.user) return launchAs(asked.user, asked);
  const words = [
    ...(entersFolder ? [] : [ENTER]),
    // Opening a terminal on macOS does not reliably make it the controlling one.
    ...(process.platform === 'darwin' && 'terminal' in asked.stdio ? [TAKE_TERMINAL] : []),
  ];
  const program =
    words.length > 0 ? { ...asked, ...throughPerl(words, entersFolder ? [] : [asked.cwd], asked) } : asked;
  return withLineage((lineage) => {
    const pid = posixSpawn(program, asked.stdio);
    return { pid, lineage, onExit: (listener) => onceReaped(pid, listener) };
  });
}

/** Starts a process with Node, which can switch to another user but cannot attach a terminal. */
function launchAs(user: User, asked: Launch): Launched {
  const { stdio, cwd } = asked;
  const opened = 'terminal' in stdio ? openSync(stdio.terminal, files.O_RDWR | files.O_NOCTTY) : null;
  const words = opened === null ? [ENTER] : [ENTER, TAKE_TERMINAL];
  try {
    const { file, argv, env } = throughPerl(words, [cwd], asked);
    const { child, lineage } = withLineage((given) => ({
      lineage: given,
      child: spawn(file, argv.slice(1), {
        argv0: 'perl',
        cwd: '/',
        env,
        detached: true,
        stdio: 'terminal' in stdio ? [opened, opened, opened] : [...stdio],
        ...identityOf(user),
      }),
    }));
    const { pid } = child;
    if (pid === undefined) {
      // Node reports the error as an event, too late to report it to the requester.
      child.once('error', () => {});
      throw whatIsMissing();
    }
    const onExit: Launched['onExit'] = (listener) =>
      child.once('exit', (code, signal) =>
        listener({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), signal }),
      );
    return { pid, lineage, onExit };
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/**
 * Returns a command that starts perl, which runs `words` and then replaces itself with the program. `before`: arguments
 * that `words` remove from @ARGV.
 */
function throughPerl(
  words: readonly string[],
  before: readonly string[],
  { file, argv, env }: Program,
): Pick<Program, 'file' | 'argv' | 'env'> {
  // The variable prevents perl's warnings about the locale; it is removed again unless the program has one of its own.
  const hideQuiet = 'PERL_BADLANG' in env ? [] : ['delete $ENV{PERL_BADLANG}'];
  const become = 'exec { shift } @ARGV; print STDERR "$ARGV[0]: $!\\n"; exit 126';
  const script = [...hideQuiet, ...words, become].join('; ');
  return {
    file: PERL,
    argv: ['perl', '-e', script, '--', ...before, file, ...argv],
    env: { PERL_BADLANG: '0', ...env },
  };
}
