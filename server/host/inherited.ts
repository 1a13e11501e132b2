// What whoever started the gateway has left open: every child would get it, and nobody here has any use for it.
import { readdirSync } from 'node:fs';
import { closeAtExec } from './libc.ts';

/**
 * To be called before anything is started. Node closes at an exec what it opens itself, and the first few descriptors
 * that it finds; a shell's `exec 60<secret` goes through to all children, in a sandbox and as another user, too. It stays
 * open here: it may be what V8 writes a profile to, whose number the next connection would get.
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
    // Only the listing's own is gone by now.
    if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
  }
}
