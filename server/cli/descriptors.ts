// Determines the types of this command's stdin, stdout and stderr.
import { fstatSync, statSync, type Stats } from 'node:fs';
import { isatty } from 'node:tty';

/** Returns true when stdin and stdout are terminals, as when an agent starts its command on one. */
export const isInTerminal = (): boolean => isatty(0) && isatty(1);

/**
 * Returns true when stdout and stderr are the same pipe, file or terminal, so that the order of their output matters.
 */
export function areJoined(): boolean {
  const [stdout, stderr] = [statOf(1), statOf(2)];
  return stdout !== null && stderr !== null && stdout.ino === stderr.ino && stdout.dev === stderr.dev;
}

/** Returns false when stdin is closed or `/dev/null`, so that there is nothing to read. */
export function hasInput(): boolean {
  const stdin = statOf(0);
  const nothing = statSync('/dev/null', { throwIfNoEntry: false });
  return stdin !== null && !(stdin.isCharacterDevice() && stdin.rdev === nothing?.rdev);
}

function statOf(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}
