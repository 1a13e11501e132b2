// A child's pipes: real ones, which can be opened by name, as the sockets that Node would give it cannot.
import { fstatSync } from 'node:fs';
import { closeAtExec, libc, succeeded } from './libc.ts';

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

const nameOf = (fd: number): string => `pipe:[${fstatSync(fd).ino}]`;

function openPipe(): [readEnd: number, writeEnd: number] {
  const ends = new Int32Array(2);
  succeeded(libc.pipe(ends));
  const [readEnd = -1, writeEnd = -1] = ends;
  closeAtExec(readEnd);
  closeAtExec(writeEnd);
  return [readEnd, writeEnd];
}
