// One descriptor that is kept to be given up for a moment: without it nothing could be ended where descriptors have run out.
import { closeSync, openSync } from 'node:fs';

let spare = opened();

/** Does what needs one descriptor for a moment; throws what `read` does when there is truly none. */
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
