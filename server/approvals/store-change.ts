// Converts failed writes to the state folder into errors for people.
import { Locked } from '../policy/file-lock.ts';
import { internal } from '../rpc/rpc-error.ts';

/** Calls `change` and returns its result; throws an error for people when the folder is locked or not writable. */
export function storeChange<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    const isLocked = error instanceof Locked;
    if (!isLocked && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw internal(`the state folder cannot be written, so nothing was changed: ${(error as Error).message}`);
  }
}
