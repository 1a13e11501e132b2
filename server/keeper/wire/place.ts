// Determines the paths of a keeper's files: socket, lock, log, and process folders.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOwn } from '../../host/account.ts';

/** Maximum length of a Unix socket path on Linux, in bytes. */
const MOST_PATH_BYTES = 107;

export const lockPath = (stateDir: string): string => join(stateDir, 'keeper.lock');
export const keeperLogPath = (stateDir: string): string => join(stateDir, 'keeper.log');
/** Folder of all processes of a keeper. */
export const runFolder = (stateDir: string): string => join(stateDir, 'run');
export const processFolder = (stateDir: string, key: string): string => join(runFolder(stateDir), key);

/** Returns the folders outside the state folder for a keeper's files (Linux only); creates missing ones. */
export function foldersElsewhere(stateDir: string): readonly string[] {
  const path = process.platform === 'linux' ? possibleSocket(stateDir) : null;
  const folder = path === null ? stateDir : dirname(path);
  return folder === stateDir ? [] : [folder];
}

/** Returns the socket path; null when its folder cannot be created or is not private, so that no keeper can run. */
export function possibleSocket(stateDir: string): string | null {
  try {
    return socketPath(stateDir);
  } catch {
    return null;
  }
}

/**
 * Returns the socket path: in the state folder, or in a private folder of the user if that path is too long; throws
 * when that folder cannot be created or is not private.
 */
export function socketPath(stateDir: string): string {
  const path = join(stateDir, 'keeper.sock');
  if (Buffer.byteLength(path) <= MOST_PATH_BYTES) return path;
  const name = createHash('sha256').update(stateDir).digest('hex').slice(0, 16);
  return join(runtimeFolder(), `${name}.sock`);
}

/**
 * Returns a private folder of the user, created if missing; throws when its path is a link or not private to the user.
 */
function runtimeFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const given = statSync(`/run/user/${uid}`, { throwIfNoEntry: false });
  const folder = given && isOwn(given) ? `/run/user/${uid}/exec-console` : `/tmp/exec-console-${uid}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = lstatSync(folder);
  if (!made.isDirectory() || !isOwn(made) || (made.mode & 0o077) !== 0)
    throw new Error(
      `its socket cannot be in ${folder}, which is not a private folder of this user; choose a state folder with a shorter path`,
    );
  return folder;
}
