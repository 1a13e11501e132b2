// Replaces this process with another program, which keeps its pid, descriptors, folder and terminal.
import { constants as files } from 'node:fs';
import { constants } from 'node:os';
import { defaultSignal, errorOf, libc } from './libc.ts';

const F_SETFD = 2;
const F_GETFL = 3;
const F_SETFL = 4;

/** Returns the error when the system refuses; otherwise never returns. */
export function exec(
  path: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): NodeJS.ErrnoException {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  for (const fd of [0, 1, 2]) leave(fd);
  // Node ignores SIGPIPE, and the program would inherit that.
  defaultSignal(constants.signals.SIGPIPE);
  libc.execve(path, [...argv, null], [...variables, null]);
  return errorOf();
}

/** Restores a stdio descriptor, which Node has made non-blocking and close-on-exec. */
function leave(fd: number): void {
  const flags = libc.fcntl(fd, F_GETFL, 'int', 0);
  if (flags === -1) return;
  if (flags & files.O_NONBLOCK) libc.fcntl(fd, F_SETFL, 'int', flags & ~files.O_NONBLOCK);
  libc.fcntl(fd, F_SETFD, 'int', 0);
}
