// Starts the system's process on given descriptors, and sees to it that it inherits no others.
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { constants } from 'node:os';
import type { ChildExit } from './child.ts';
import { whatIsMissing } from './starved.ts';
import { identityOf, PERL, type User } from './user.ts';

export interface Launch {
  readonly file: string;
  /** argv, its first as the program sees it. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it leads its own session from the start; else what is started makes one itself. */
  readonly detached: boolean;
  /** Descriptors 0, 1 and 2. */
  readonly stdio: readonly [number, number, number];
  readonly user: User | null;
}

export interface Launched {
  readonly pid: number;
  /** The one listener hears of the end the moment the process is reaped. */
  onExit(listener: (exit: ChildExit) => void): void;
}

/** Open descriptors that an exec would hand on: Node cannot mark the ones that the native binding opens. */
export const inheritable = new Set<number>();

/** Also stands in for stdin where there is none. */
export const nothing = openSync('/dev/null', 'r+');

export function launch(asked: Launch): Launched {
  const { detached, stdio, user } = asked;
  const { file, argv, cwd, env } = user
    ? { ...throughPerl({ words: ENTER, before: [asked.cwd] }, asked.file, asked), cwd: '/' }
    : asked;
  const [argv0, ...args] = argv;
  const child = spawn(file, args, {
    ...(argv0 === undefined ? {} : { argv0 }),
    cwd,
    env,
    detached,
    stdio: covered(stdio),
    ...identityOf(user),
  });
  if (child.pid === undefined) {
    // The reason comes as an event, later than anybody can be told; every other one was looked for before.
    child.once('error', () => {});
    throw whatIsMissing('EAGAIN');
  }
  return {
    pid: child.pid,
    onExit: (listener) =>
      child.once('exit', (code, signal) =>
        listener({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), signal }),
      ),
  };
}

/**
 * perl, which says these words and then becomes the program, with the arguments after `before`, which the words take
 * off the front of @ARGV. The environment is the program's own.
 */
export function throughPerl(
  { words, before = [] }: { readonly words: string; readonly before?: readonly string[] },
  program: string,
  { argv, env }: Pick<Launch, 'argv' | 'env'>,
): Pick<Launch, 'file' | 'argv' | 'env'> {
  // perl would print what it thinks of the locale; what keeps it from that is not for the program.
  const hideQuiet = 'PERL_BADLANG' in env ? '' : 'delete $ENV{PERL_BADLANG};';
  const script = `${hideQuiet} ${words}; exec { shift } @ARGV; print STDERR "$ARGV[0]: $!\\n"; exit 126`;
  return {
    file: PERL,
    argv: ['perl', '-e', script, '--', ...before, program, ...argv],
    env: { PERL_BADLANG: '0', ...env },
  };
}

/** A spawn enters the folder as the gateway: into a closed one, from where what lies in it could be reached. */
const ENTER = 'chdir shift or do { print STDERR "its working directory: $!\\n"; exit 126 }';

/** In the child the null device takes the place of each inheritable descriptor: it would keep another's terminal open. */
export function covered(stdio: readonly (number | 'pipe')[]): (number | 'pipe' | 'ignore')[] {
  const highest = Math.max(2, ...inheritable);
  return Array.from(
    { length: highest + 1 },
    (_, fd) => stdio[fd] ?? (inheritable.has(fd) ? nothing : 'ignore'),
  );
}
