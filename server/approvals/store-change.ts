// Changes to the state folder, which fail when they cannot be written.
import { Locked } from '../policy/file-lock.ts';
import { internal } from '../rpc/rpc-error.ts';

/** Makes the change; throws an error for people when the folder cannot be written. */
export function storeChange<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    const isLocked = error instanceof Locked;
    if (!isLocked && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw internal(`the state folder cannot be written, so nothing was changed: ${(error as Error).message}`);
  }
}
