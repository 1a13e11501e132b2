// Starts the system's process on given descriptors, and sees to it that it inherits no others.
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { constants } from 'node:os';
import type { ChildExit } from './child.ts';

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

export function launch({ file, argv, cwd, env, detached, stdio }: Launch): Launched {
  const [argv0, ...args] = argv;
  const child = spawn(file, args, {
    ...(argv0 === undefined ? {} : { argv0 }),
    cwd,
    env,
    detached,
    stdio: covered(stdio),
  });
  if (child.pid === undefined) {
    // The reason comes as an event, later than anybody can be told; every other one was looked for before.
    child.once('error', () => {});
    throw new Error('the system could not start another process');
  }
  return {
    pid: child.pid,
    onExit: (listener) =>
      child.once('exit', (code, signal) =>
        listener({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), signal }),
      ),
  };
}

/** In the child the null device takes the place of each inheritable descriptor: it would keep another's terminal open. */
export function covered(stdio: readonly (number | 'pipe')[]): (number | 'pipe' | 'ignore')[] {
  const highest = Math.max(2, ...inheritable);
  return Array.from(
    { length: highest + 1 },
    (_, fd) => stdio[fd] ?? (inheritable.has(fd) ? nothing : 'ignore'),
  );
}
