// What to start → a running child, or a SpawnError that says what, which and why.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import type { Child, ChildEvents, ChildSpec } from './child.ts';
import { spawnPipeChild } from './pipe-child.ts';
import { spawnPtyChild } from './pty-child.ts';

/** The process was not started; the message is for the one who asked. */
export class SpawnError extends Error {}

/** Where programs are looked up for a child without a PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Starts the child at once. What keeps it from starting is found out before, or told by the system. */
export function spawnChild(spec: ChildSpec, events: ChildEvents): Child {
  const [name = ''] = spec.argv;
  refuseNulBytes(spec);
  checkFolder(spec.cwd);
  const program = findProgram(name, spec);
  try {
    return spec.tty ? spawnPtyChild(spec, program, spec.tty, events) : spawnPipeChild(spec, program, events);
  } catch (cause) {
    throw new SpawnError(`cannot start ${JSON.stringify(name)}: ${reason(cause)}`, { cause });
  }
}

function refuseNulBytes({ argv, arg0, env, cwd }: ChildSpec): void {
  const strings = [...argv, arg0 ?? '', cwd, ...Object.entries(env).flat()];
  if (strings.some((text) => text.includes('\0'))) {
    throw new SpawnError(
      `cannot start ${JSON.stringify(argv[0])}: an argument, a variable or the folder has a NUL byte`,
    );
  }
}

function checkFolder(cwd: string): void {
  let isFolder: boolean;
  try {
    isFolder = statSync(cwd).isDirectory();
    accessSync(cwd, constants.X_OK);
  } catch (cause) {
    throw new SpawnError(`cannot use the working directory ${cwd}: ${reason(cause)}`, { cause });
  }
  if (!isFolder) throw new SpawnError(`cannot use the working directory ${cwd}: not a directory`);
}

function findProgram(name: string, { cwd, env }: ChildSpec): string {
  if (name === '') throw new SpawnError('cannot start a program without a name: argv[0] is empty');
  if (name.includes('/')) return checkProgram(name, resolve(cwd, name));
  let refusal: unknown = null;
  for (const folder of (env['PATH'] ?? DEFAULT_PATH).split(delimiter)) {
    try {
      return checkProgram(name, resolve(cwd, join(folder, name)));
    } catch (error) {
      // Found but not executable is worth more to the reader than not found elsewhere.
      if (!(error instanceof SpawnError) || !error.message.endsWith('not found')) refusal ??= error;
    }
  }
  throw refusal ?? new SpawnError(`cannot start ${JSON.stringify(name)}: not found in PATH`);
}

function checkProgram(name: string, path: string): string {
  try {
    if (!statSync(path).isFile()) throw new SpawnError(`cannot start ${JSON.stringify(name)}: not a program`);
    accessSync(path, constants.X_OK);
    return path;
  } catch (cause) {
    if (cause instanceof SpawnError) throw cause;
    throw new SpawnError(`cannot start ${JSON.stringify(name)}: ${reason(cause)}`, { cause });
  }
}

function reason(cause: unknown): string {
  const { code, errno, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'not found';
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return known?.[1] ?? message;
}
