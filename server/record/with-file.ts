// Reads a file that may no longer exist.
import { closeSync, constants } from 'node:fs';
import { openRegular } from '../host/regular-file.ts';

/** Calls `work` with the descriptor of a file opened for reading; returns null for a file that cannot be opened. */
export function withFile<T>(path: string, work: (file: number) => T): T | null {
  let file: number;
  try {
    file = openRegular(path, constants.O_RDONLY);
  } catch {
    return null;
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
