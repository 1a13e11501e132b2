// A child's pipes: real ones, which can be opened by name, unlike the sockets that Node would create.
import { fstatSync } from 'node:fs';
import { closeAtExec, enlargePipe, libc, pageBytes, succeeded } from './libc.ts';
import { READ_BYTES } from './read-buffer.ts';

/** Capacity of a pipe as Linux creates it, or the size of one read; a shorter read has not found the pipe full. */
export const PIPE_BYTES = Math.min(16 * pageBytes, READ_BYTES);
/**
 * Limit of enlarged pipes at once. Linux grants the pipes of one user 64 MiB in all, and all further ones no more than
 * two pages each, also those of other programs.
 */
const MOST_LARGE = 16;

let large = 0;

/** A pipe whose ends no child inherits, except the one that is passed its own. */
export interface Pipe {
  readonly ours: number;
  readonly childs: number;
  /** Name in /proc, the same in every process that has it open. */
  readonly name: string;
}

/** A pipe that the child reads and we write. */
export function inputPipe(): Pipe {
  const [childs, ours] = openPipe();
  return { ours, childs, name: nameOf(ours) };
}

/** A pipe that the child writes and we read. */
export function outputPipe(): Pipe {
  const [ours, childs] = openPipe();
  return { ours, childs, name: nameOf(ours) };
}

/**
 * Enlarges a pipe to hold a whole read, for a flood: the child and the gateway wait for each other less often. Returns
 * a function to call when the pipe is closed; null when its capacity stays.
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
