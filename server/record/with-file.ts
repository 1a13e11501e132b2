// Reads a file that may no longer exist.
import { closeSync, openSync } from 'node:fs';

/** Calls `work` with the descriptor of a file opened for reading; returns null for a file that cannot be opened. */
export function withFile<T>(path: string, work: (file: number) => T): T | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
