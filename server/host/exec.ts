// Replaces the program of this process; the new program has the same PID, folder and terminal, and the descriptors that
// stay open at exec.
import { constants as files } from 'node:fs';
import { constants } from 'node:os';
import { closeAtExec, closesAtExec, defaultSignal, errorOf, keepAtExec, libc, type Words } from './libc.ts';

const F_GETFL = 3;
const F_SETFL = 4;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces this process with the program. Returns the error when the system refuses; nothing has changed then.
 * Otherwise never returns.
 */
export function exec(path: string, argv: readonly string[], env: Environment): NodeJS.ErrnoException {
  const undo = [0, 1, 2].map(prepare);
  // Node ignores SIGPIPE, and the program would inherit that.
  undo.push(defaultSignal(constants.signals.SIGPIPE));
  libc.execve(path, [...argv, null], variablesOf(env));
  const error = errorOf();
  for (const each of undo) each();
  return error;
}

/**
 * Becomes another program of this package, which inherits these descriptors. Returns the error when the system
 * refuses; nothing has changed then.
 */
export function execWith(descriptors: readonly number[], argv: readonly string[]): NodeJS.ErrnoException {
  const [path = ''] = argv;
  const changed = [0, 1, 2, ...descriptors].filter(closesAtExec);
  for (const fd of changed) keepAtExec(fd);
  libc.execve(path, [...argv, null], variablesOf(process.env));
  const error = errorOf();
  for (const fd of changed) closeAtExec(fd);
  return error;
}

const variablesOf = (env: Environment): Words => [
  ...Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
  null,
];

/**
 * Restores a stdio descriptor, which Node has made non-blocking and close-on-exec. Returns a function that undoes
 * it; without effect for a descriptor that is not open.
 */
function prepare(fd: number): () => void {
  const flags = libc.fcntl(fd, F_GETFL, 'int', 0);
  if (flags === -1) return () => {};
  const isClosed = closesAtExec(fd);
  if (flags & files.O_NONBLOCK) libc.fcntl(fd, F_SETFL, 'int', flags & ~files.O_NONBLOCK);
  keepAtExec(fd);
  return () => {
    if (flags & files.O_NONBLOCK) libc.fcntl(fd, F_SETFL, 'int', flags);
    if (isClosed) closeAtExec(fd);
  };
}
