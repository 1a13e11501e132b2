// Kinds of this command's stdin, stdout and stderr.
import { fstatSync, statSync, type Stats } from 'node:fs';
import { isatty } from 'node:tty';

/** True when the agent has a terminal for its command. */
export const isInTerminal = (): boolean => isatty(0) && isatty(1);

/** True when both are the same pipe, file or terminal, in which the order of their output shows. */
export function areJoined(): boolean {
  const [stdout, stderr] = [statOf(1), statOf(2)];
  return stdout !== null && stderr !== null && stdout.ino === stderr.ino && stdout.dev === stderr.dev;
}

/** True when stdin has, or may get, something to read. */
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
