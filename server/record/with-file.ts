// Reads a file that may no longer exist, or that the system may be unable to read.
import { closeSync, constants } from 'node:fs';
import { isSystemError, nullWhenMissing, openRegular } from '../host/regular-file.ts';

/**
 * Returns the result of `work`, called with the descriptor of a file opened for reading; null when there is no regular
 * file at the path. Throws when the system cannot open it, for example for lack of descriptors.
 */
export function withFile<T>(path: string, work: (file: number) => T): T | null {
  let file: number;
  try {
    file = openRegular(path, constants.O_RDONLY);
  } catch (error) {
    return nullWhenMissing(error);
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** Returns null for an error of the system, such as a lack of descriptors; rethrows others. */
export function nullWhenUnreadable(error: unknown): null {
  if (!isSystemError(error)) throw error;
  return null;
}
