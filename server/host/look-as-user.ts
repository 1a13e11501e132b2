// Checks as another user whether that user may enter a folder and run a program, since the gateway itself can access
// everything.
import { execFile } from 'node:child_process';
import { identityOf, type User } from './user.ts';

/**
 * Shell script that prints the first of the paths that the current user may run. It exits with 2 when the
 * user cannot enter the folder, 3 when a path exists but cannot be run, and 4 when none exists.
 */
const LOOK = `
cd -- "$1" 2>/dev/null || exit 2
shift
for each do [ -f "$each" ] && [ -x "$each" ] && { printf %s "$each"; exit 0; }; done
for each do [ -e "$each" ] && exit 3; done
exit 4`;

/** Time limit of a lookup, since the other user could suspend it; a slower lookup is killed, and rejects. */
const LOOK_MS = 2000;
/** Maximum number of lookups at once; further ones are queued. */
const MOST_LOOKS = 8;

export type Found = { readonly program: string } | { readonly missing: 'folder' | 'right' | 'program' };

const waiting: (() => void)[] = [];
let looks = 0;

/**
 * Looks up the folder and the program as that user; resolves with the first candidate that the user may run, or with
 * what is missing. Rejects when the lookup cannot be started or takes too long.
 */
export async function lookAsUser(user: User, cwd: string, candidates: readonly string[]): Promise<Found> {
  if (looks >= MOST_LOOKS) await new Promise<void>((resolve) => waiting.push(resolve));
  else looks += 1;
  try {
    return await look(user, cwd, candidates);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else looks -= 1;
  }
}

function look(user: User, cwd: string, candidates: readonly string[]): Promise<Found> {
  const options = {
    cwd: '/',
    env: {},
    timeout: LOOK_MS,
    killSignal: 'SIGKILL',
    ...identityOf(user),
  } as const;
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', LOOK, 'sh', cwd, ...candidates], options, (error, stdout) => {
      if (!error) resolve({ program: stdout });
      else if (error.code === 2) resolve({ missing: 'folder' });
      else if (error.code === 3) resolve({ missing: 'right' });
      else if (error.code === 4) resolve({ missing: 'program' });
      else if (error.killed === true) {
        reject(new Error(`looking up the program as ${user.name} took longer than ${LOOK_MS / 1000} s`));
      } else reject(error);
    });
  });
}
