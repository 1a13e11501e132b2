// What another user may enter and run: asked of the kernel as that user, since the gateway may do everything.
import { spawnSync } from 'node:child_process';
import { identityOf, type User } from './user.ts';

/** Prints the first of the paths that is a program for whoever asks. */
const LOOK = `
cd -- "$1" 2>/dev/null || exit 2
shift
for each do [ -f "$each" ] && [ -x "$each" ] && { printf %s "$each"; exit 0; }; done
for each do [ -e "$each" ] && exit 3; done
exit 4`;

/** The gateway waits for it, and whoever is that user may stop it. */
const LOOK_MS = 2000;

export type Found = { readonly program: string } | { readonly missing: 'folder' | 'right' | 'program' };

export function lookAsUser(user: User, cwd: string, candidates: readonly string[]): Found {
  const { status, stdout, error } = spawnSync('/bin/sh', ['-c', LOOK, 'sh', cwd, ...candidates], {
    cwd: '/',
    env: {},
    encoding: 'utf8',
    timeout: LOOK_MS,
    killSignal: 'SIGKILL',
    ...identityOf(user),
  });
  if (error) throw error;
  if (status === 0) return { program: stdout };
  if (status === 2) return { missing: 'folder' };
  return { missing: status === 3 ? 'right' : 'program' };
}
