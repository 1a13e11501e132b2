// A child's pipes: real ones, which can be opened by name, as the sockets that Node would give it cannot.
import { fstatSync } from 'node:fs';
import { closeAtExec, enlargePipe, libc, pageBytes, succeeded } from './libc.ts';
import { READ_BYTES } from './read-buffer.ts';

/** What a pipe holds, as Linux makes it, or what one read brings; a read that brings less has not found it full. */
export const PIPE_BYTES = Math.min(16 * pageBytes, READ_BYTES);
/**
 * Pipes that hold more at once. Linux gives the pipes of one user 64 MiB in all, and all further ones no more than two
 * pages each, also those of other programs.
 */
const MOST_LARGE = 16;

let large = 0;

/** No child inherits the ends, but the one that is given its own. */
export interface Pipe {
  readonly ours: number;
  readonly childs: number;
  /** As /proc names it wherever it is open. */
  readonly name: string;
}

/** That the child reads and we write. */
export function inputPipe(): Pipe {
  const [childs, ours] = openPipe();
  return { ours, childs, name: nameOf(ours) };
}

/** That the child writes and we read. */
export function outputPipe(): Pipe {
  const [ours, childs] = openPipe();
  return { ours, childs, name: nameOf(ours) };
}

/**
 * Makes one of them hold a whole read, for a flood: the child and we wait for each other less often. Returns what is to be
 * called when it is closed; null when it stays as it is.
 */
export function enlarge(fd: number): (() => void) | null {
  if (large >= MOST_LARGE || !enlargePipe(fd, READ_BYTES)) return null;
  large += 1;
  return () => {
    large -= 1;
  };
}

const nameOf = (fd: number): string => `pipe:[${fstatSync(fd).ino}]`;

function openPipe(): [readEnd: number, writeEnd: number] {
  const ends = new Int32Array(2);
  succeeded(libc.pipe(ends));
  const [readEnd = -1, writeEnd = -1] = ends;
  closeAtExec(readEnd);
  closeAtExec(writeEnd);
  return [readEnd, writeEnd];
}
