// Starts a child from its spec, or throws a SpawnError with the cause.
import { isUtf8 } from 'node:buffer';
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { numberText } from '../../text/amounts.ts';
import { ownText } from '../../text/own-copy.ts';
import { NOT_EXECUTABLE, NOT_FOUND, startRefusal } from '../../text/start-refusal.ts';
import type { ChildEvents, ChildSpec, Enclosure, OwnChild } from './child.ts';
import { hanging, hangingMounts } from './hanging.ts';
import { lookAsUser } from './look-as-user.ts';
import { spawnPipeChild } from './pipe-child.ts';
import { spawnPtyChild } from './pty-child.ts';
import { starvation, type Starved } from './starved.ts';
import type { User } from './user.ts';

/** Maximum length of an error message, in characters. */
const LONGEST_MESSAGE = 4096;

/** Thrown when the process was not started; the message is for the requester. */
export class SpawnError extends Error {
  /** The exhausted resource; null for any other cause. */
  readonly starved: Starved | null;

  constructor(message: string, cause: unknown) {
    super(message.length > LONGEST_MESSAGE ? ownText(message, LONGEST_MESSAGE) : message, { cause });
    this.starved = starvation(cause);
  }
}

/** Default PATH of a child without one, the same as the C library's. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** Maximum number of folders in a PATH, since the lookup blocks the gateway. */
const MOST_FOLDERS = 1000;
const LONGEST_NAME = 255;

/**
 * Linux's limits for one argument or variable, and for all of them with their pointers under the usual stack limit.
 */
const LONGEST_STRING = 128 * 1024 - 1;
const ALL_STRINGS = 2 * 1024 * 1024;

/** Number of bytes of a script's first line that the kernel reads. */
const FIRST_LINE_BYTES = 256;

/**
 * Starts the child at once. Causes of failure are checked first, since the system would report less, or too
 * late for another user.
 */
export function spawnChild(spec: ChildSpec, events: ChildEvents): OwnChild {
  return reported(spec, () => {
    const program = checkStart(spec);
    return spec.sandbox ? spawnEnclosed(spec, spec.sandbox, events) : spawn(spec, program, events);
  });
}

function reported<T>({ argv: [name = ''] }: ChildSpec, start: () => T): T {
  try {
    return start();
  } catch (cause) {
    if (cause instanceof FolderRefusal) throw new SpawnError(cause.message, cause);
    throw new SpawnError(startRefusal(name, reason(cause)), cause);
  }
}

/** Checks the command and its folder; returns the path of the program. */
function checkStart(spec: ChildSpec): string {
  const [name = ''] = spec.argv;
  checkStrings(spec);
  return spec.user ? foundAsUser(spec, spec.user) : findHere(name, spec);
}

function spawn(spec: ChildSpec, program: string, events: ChildEvents): OwnChild {
  try {
    return spec.tty ? spawnPtyChild(spec, program, spec.tty, events) : spawnPipeChild(spec, program, events);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') checkStillThere(spec, program);
    throw error;
  }
}

/**
 * Throws the cause of a start that failed with ENOENT, if it is a missing folder or loader; does nothing for another
 * user.
 */
function checkStillThere({ cwd, user }: ChildSpec, program: string): void {
  if (user) return;
  checkFolder(cwd);
  if (existsSync(program)) throw new Refusal('its loader does not exist');
}

/**
 * Enters the sandbox of a child that another program will start. Throws SpawnError when the command cannot be
 * started there.
 */
export function wayInto(spec: ChildSpec, sandbox: Enclosure): ReturnType<Enclosure['enter']> {
  return reported(spec, () => {
    checkStart(spec);
    return sandbox.enter(spec);
  });
}

function spawnEnclosed(spec: ChildSpec, sandbox: Enclosure, events: ChildEvents): OwnChild {
  const { argv, env, leave } = sandbox.enter(spec);
  const onExit: ChildEvents['onExit'] = (exit) => {
    leave();
    events.onExit(exit);
  };
  try {
    const [program = ''] = argv;
    return spawn({ ...spec, argv, env, arg0: null }, program, { ...events, onExit });
  } catch (error) {
    leave();
    throw error;
  }
}

function checkStrings({ argv, arg0, env, cwd }: ChildSpec): void {
  const wrongName = Object.keys(env).find((name) => name === '' || name.includes('='));
  if (wrongName !== undefined)
    throw new Refusal(`${JSON.stringify(wrongName)} is not a valid environment variable name`);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const strings = [...argv, ...variables, ...(arg0 === null ? [] : [arg0])];
  if ([...strings, cwd].some((text) => text.includes('\0'))) {
    throw new Refusal('an argument, an environment variable or the folder contains a NUL byte');
  }
  const sizes = strings.map((text) => Buffer.byteLength(text));
  const pointerBytes = 8;
  const total = sizes.reduce((sum, size) => sum + size + 1 + pointerBytes, 0);
  if (total > ALL_STRINGS || sizes.some((size) => size > LONGEST_STRING)) {
    throw new Refusal(
      `its arguments and environment variables are too long: ${numberText(total)} bytes in total, where the limits ` +
        `are ${numberText(ALL_STRINGS)} in total and ${numberText(LONGEST_STRING)} for each`,
    );
  }
}

function checkFolder(cwd: string): void {
  try {
    if (!statSync(cwd).isDirectory()) throw new Refusal('it is not a folder');
    accessSync(cwd, constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? ' does not exist' : `: ${reason(cause)}`;
    throw new FolderRefusal(`folder ${cwd}${why}`);
  }
}

/**
 * Resolves with the spec, in which `found` is the result of looking up its program as the other user, or the
 * error; never rejects. Takes up to two seconds, or more when many lookups are queued.
 */
export async function lookedUp(spec: ChildSpec, user: User): Promise<ChildSpec> {
  const { cwd, argv } = spec;
  const [name = ''] = argv;
  try {
    checkStrings(spec);
    return { ...spec, found: await lookAsUser(user, cwd, placesOf(name, spec)) };
  } catch (error) {
    return { ...spec, found: error as Error };
  }
}

/**
 * Returns the paths at which a program is looked up, in order. Throws for a name that is too long, and for a
 * PATH with too many folders.
 */
export function placesOf(name: string, where: Pick<ChildSpec, 'cwd' | 'env'>): string[] {
  return name === '' || name.includes('/') ? [resolve(where.cwd, name)] : inPath(name, where);
}

function foundAsUser({ cwd, found }: ChildSpec, user: User): string {
  if (!found) throw new Error('misuse: nothing was looked up as that user');
  if (found instanceof Error) throw found;
  if ('program' in found) return found.program;
  if (found.missing === 'folder')
    throw new FolderRefusal(`folder ${cwd} cannot be entered by user ${user.name}`);
  throw new Refusal(found.missing === 'right' ? `${user.name} is not allowed to run it` : NOT_FOUND);
}

function findHere(name: string, { cwd, env }: ChildSpec): string {
  checkFolder(cwd);
  if (name === '') throw new Refusal('argv[0] is empty');
  if (name.includes('/')) return checkProgram(resolve(cwd, name), cwd);
  let found: Error | null = null;
  for (const path of inPath(name, { cwd, env })) {
    try {
      // Most folders do not contain the program, and an exception costs more than the lookup.
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats) return checkProgram(path, cwd, stats);
    } catch (error) {
      // "Not executable" explains more than "not found".
      if (error instanceof Refusal) found ??= error;
      else if ((error as NodeJS.ErrnoException).code === 'EACCES') found ??= error as Error;
    }
  }
  throw found ?? new Refusal(`${NOT_FOUND} in PATH`);
}

function inPath(name: string, { cwd, env }: Pick<ChildSpec, 'cwd' | 'env'>): string[] {
  const folders = (env['PATH'] ?? DEFAULT_PATH).split(delimiter);
  if (folders.length > MOST_FOLDERS)
    throw new Refusal(
      `PATH has ${numberText(folders.length)} folders, but the limit is ${numberText(MOST_FOLDERS)}`,
    );
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new Refusal('its name is too long');
  return folders.map((folder) => resolve(cwd, join(folder, name)));
}

function checkProgram(path: string, cwd: string, stats = statSync(path)): string {
  if (!stats.isFile()) throw new Refusal(NOT_EXECUTABLE);
  accessSync(path, constants.X_OK);
  const interpreter = interpreterOf(path);
  if (interpreter === null) return path;
  const at = resolve(cwd, interpreter);
  // The check only explains a failure, so it must not wait for a file system that does not answer.
  if (hanging(at, hangingMounts())) return path;
  try {
    accessSync(at, constants.X_OK);
  } catch (cause) {
    throw new Refusal(`its interpreter ${interpreter}: ${reason(cause)}`);
  }
  return path;
}

/**
 * Returns the interpreter in the first line of a script; null for other programs, for unreadable ones, and for a
 * name that is not UTF-8, which Node cannot look up.
 */
export function interpreterOf(path: string): string | null {
  const head = Buffer.alloc(FIRST_LINE_BYTES);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const length = readSync(fd, head);
    const [, name = ''] = /^#![ \t]*([^ \t\n]+)[ \t\n]/.exec(head.toString('latin1', 0, length)) ?? [];
    const bytes = Buffer.from(name, 'latin1');
    return name !== '' && isUtf8(bytes) ? bytes.toString() : null;
  } finally {
    closeSync(fd);
  }
}

/** The reason for a failure, which completes the sentence "cannot start …:". */
class Refusal extends Error {}
/** The folder is the cause of the failure, not the program; the message is a whole sentence. */
class FolderRefusal extends Error {}

function reason(cause: unknown): string {
  const starved = starvation(cause);
  if (starved) return starved.message;
  const { code, errno, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return NOT_FOUND;
  const known = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return known?.[1] ?? message;
}
