// Reserves a descriptor that can be freed briefly, so that processes can be ended even when no other
// descriptor is left.
import { closeSync, openSync } from 'node:fs';

let spare = opened();

/**
 * Runs `read`, which needs one descriptor briefly; when none is left, frees the spare one and runs `read` again.
 * Throws the error of the last run.
 */
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
