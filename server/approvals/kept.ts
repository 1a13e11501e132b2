// Changes that are written to the state folder, and are not made where they cannot be.
import { internal } from '../rpc/rpc-error.ts';

/** Makes the change; throws in words where the folder cannot be written. */
export function kept<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw internal(
      `the state folder cannot be written, so that nothing was changed: ${(error as Error).message}`,
    );
  }
}
