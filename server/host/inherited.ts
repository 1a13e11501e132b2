// Descriptors that the gateway's parent left open: every child would inherit them, and the gateway has no use for them.
import { readdirSync } from 'node:fs';
import { closeAtExec } from './libc.ts';

/**
 * Call it before anything is started. Node closes at an exec the descriptors that it opens itself, and the first few
 * that it finds; a shell's `exec 60<secret` reaches all children, also in a sandbox and as another user. The descriptor
 * stays open here: V8 may write a profile to it, and its number would go to the next connection.
 */
export function withholdInherited(): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > 2) withhold(fd);
  }
}

function withhold(fd: number): void {
  try {
    closeAtExec(fd);
  } catch (error) {
    // EBADF: only the listing's own descriptor is closed by now.
    if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
  }
}
