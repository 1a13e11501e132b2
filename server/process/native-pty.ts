// The native binding: what Node has no call for, opening a pair of terminal ends and setting their size.
import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Size } from '../protocol/scalars.ts';
import { inheritable } from './launch.ts';

/** The part of the binding that is used here. */
interface PtyBinding {
  open(cols: number, rows: number): { master: number; slave: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

// The binding is an optional dependency of @lydell/node-pty, so it is found from there.
const fromNodePty = createRequire(createRequire(import.meta.url).resolve('@lydell/node-pty'));
const binding = fromNodePty(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`) as PtyBinding;

/** The end that we read and write, and the end that is the child's terminal. Neither closes itself at an exec. */
export function openTerminal({ rows, cols }: Size): { ours: number; childs: number } {
  const { master, slave } = binding.open(cols, rows);
  inheritable.add(master).add(slave);
  return { ours: master, childs: slave };
}

/** Closes one end by its number; a stream that has taken it over closes it itself and only needs `forgetEnd`. */
export function closeEnd(fd: number): void {
  forgetEnd(fd);
  closeSync(fd);
}

export function forgetEnd(fd: number): void {
  inheritable.delete(fd);
}

export function resizeTerminal(fd: number, { rows, cols }: Size): void {
  binding.resize(fd, cols, rows);
}
