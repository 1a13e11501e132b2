// One descriptor that is reserved and can be freed for a moment: without it nothing could be ended when descriptors
// have run out.
import { closeSync, openSync } from 'node:fs';

let spare = opened();

/** Runs `read`, which needs one descriptor for a moment; throws its error when there is none at all. */
export function withDescriptor<T>(read: () => T): T {
  spare ??= opened();
  try {
    return read();
  } catch (error) {
    if (spare === null || !isOutOfDescriptors(error)) throw error;
    closeSync(spare);
    spare = null;
    try {
      return read();
    } finally {
      spare = opened();
    }
  }
}

function opened(): number | null {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return null;
  }
}

function isOutOfDescriptors(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
