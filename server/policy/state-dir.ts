// Opens the private folder for state that outlives a restart, and writes private files.
import { randomBytes } from 'node:crypto';
import { lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOwn } from '../host/account.ts';
import { makeFoldersSync } from '../host/make-folders.ts';
import { notAFile } from '../host/regular-file.ts';
import { StateFolderRefused } from '../host/state-folder-refused.ts';

/**
 * Creates the folder if missing, and returns its real path, which no link can redirect later. Throws
 * StateFolderRefused when it cannot be created, or when other users could read or change its content.
 */
export function openStateDir(path: string): string {
  try {
    makeFoldersSync(path, 0o700);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw unusable(path, REASONS[code] ?? message, error);
  }
  // The real path is checked and returned, because a link in `path` could lead elsewhere later.
  const real = realpathSync(path);
  const found = lstatSync(real);
  const { mode } = found;
  if (!found.isDirectory()) throw unusable(path, NOT_A_FOLDER);
  if (!isOwn(found))
    throw new StateFolderRefused(
      `the state folder ${path} belongs to another user; choose another folder with --state-dir`,
    );
  if ((mode & 0o077) !== 0) {
    throw new StateFolderRefused(
      `the state folder ${path} is accessible to other users (mode ${(mode & 0o777).toString(8)}); run: chmod 700 ${path}`,
    );
  }
  const open = replaceableIn(real);
  if (open !== null) {
    throw new StateFolderRefused(
      `the state folder ${path} can be replaced by other users, because every user may write to ${open}; run: chmod o-w ${open}`,
    );
  }
  return real;
}

const NOT_A_FOLDER = 'it is not a folder';

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: NOT_A_FOLDER,
  ENOTDIR: NOT_A_FOLDER,
  ENOENT: 'it cannot be created there',
  EACCES: 'it cannot be created there (permission denied)',
  EPERM: 'it cannot be created there (permission denied)',
  EROFS: 'it cannot be created on a read-only file system',
  ENOSPC: 'it cannot be created on a full disk',
};

const unusable = (path: string, why: string, cause?: unknown): StateFolderRefused =>
  new StateFolderRefused(
    `cannot use the state folder ${path}: ${why}; choose another folder with --state-dir`,
    { cause },
  );

const STICKY = 0o1000;

/** Returns the nearest folder above this one whose entries every user can rename; null when there is none. */
function replaceableIn(path: string): string | null {
  const parent = dirname(path);
  if (parent === path) return null;
  const { mode } = lstatSync(parent);
  return (mode & 0o002) !== 0 && (mode & STICKY) === 0 ? parent : replaceableIn(parent);
}

/** Writes a whole file or nothing, readable by its owner only; throws when that fails. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    // A partial file on a full disk would only waste space.
    rmSync(temporary, { force: true });
    throw notAFile(path) ?? error;
  }
}
