// What whoever started the gateway has left open: every child would get it, and nobody here has any use for it.
import { readdirSync, readFileSync } from 'node:fs';
import { closeAtExec } from './libc.ts';

const O_CLOEXEC = 0o2000000;

/**
 * To be called before anything is started. Node closes at an exec what it opens itself, and the first few descriptors
 * that it finds; a shell's `exec 60<secret` goes through to all children, in a sandbox and as another user, too. It stays
 * open here: it may be what V8 writes a profile to, whose number the next connection would get.
 */
export function withholdInherited(): void {
  // Elsewhere a descriptor does not tell whether an exec closes it.
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > 2 && staysOpenAtExec(fd)) closeAtExec(fd);
  }
}

function staysOpenAtExec(fd: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return flags !== '' && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // It was the listing's own.
    return false;
  }
}
