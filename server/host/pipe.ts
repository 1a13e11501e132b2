// Pipes of a child, which can be opened by name, unlike the sockets that Node would create.
import { fstatSync } from 'node:fs';
import { closeAtExec, enlargePipe, libc, pageBytes, succeeded } from './libc.ts';
import { READ_BYTES } from './read-buffer.ts';

/** Default capacity of a pipe on Linux, at most the size of one read. A read of fewer bytes has emptied the pipe. */
export const PIPE_BYTES = Math.min(16 * pageBytes, READ_BYTES);
/**
 * Maximum number of enlarged pipes at once. Linux grants the pipes of one unprivileged user 64 MiB in total; further
 * pipes, including those of the user's other programs, have at most two pages each.
 */
const MOST_LARGE = 16;

let large = 0;

/** A pipe whose ends no child inherits, except the child that is explicitly passed one. */
export interface Pipe {
  readonly ours: number;
  readonly childs: number;
  /** Name in /proc, the same in every process that has it open. */
  readonly name: string;
}

/** Creates a pipe that the child reads. */
export function inputPipe(): Pipe {
  const [childs, ours] = openPipe();
  return { ours, childs, name: nameOf(ours) };
}

/** Creates a pipe that the child writes. */
export function outputPipe(): Pipe {
  const [ours, childs] = openPipe();
  return { ours, childs, name: nameOf(ours) };
}

/**
 * Enlarges a pipe to the size of a whole read, so that the child and its reader wait for each other less often in a
 * flood. Returns a function to call when the pipe is closed; null when the capacity is unchanged.
 */
export function enlarge(fd: number): (() => void) | null {
  return large < MOST_LARGE && enlargePipe(fd, READ_BYTES) ? countLarge() : null;
}

/**
 * Counts an enlarged pipe, which an earlier program in this process may have enlarged; returns a function to call when
 * the pipe is closed.
 */
export function countLarge(): () => void {
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
