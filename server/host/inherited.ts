// Withholds descriptors that the gateway's parent left open, which every child would inherit.
import { readdirSync } from 'node:fs';
import { closeAtExec } from './libc.ts';

/**
 * Sets close-on-exec on inherited descriptors; call it before any process is started. Node closes only its own
 * descriptors and the first few others at exec, so those of a shell's `exec 60<secret` would reach all children, even
 * in a sandbox or as another user. They stay open here, because V8 may write a profile to one, and its number must not
 * be reused for a connection.
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
    // EBADF: this is the descriptor with which the folder was listed, the only one that has been closed since.
    if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
  }
}
