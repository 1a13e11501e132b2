// The private folder for state that outlives a restart.
import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isOwn } from '../host/account.ts';
import { StateFolderRefused } from '../host/state-folder-refused.ts';

/**
 * Creates the folder if missing, and returns its real path, which no link can redirect later. Throws when
 * other users could read or change its content.
 */
export function openStateDir(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'it is not a folder' : message;
    throw new StateFolderRefused(`cannot use the state folder ${path}: ${why}`, { cause: error });
  }
  const found = statSync(path);
  const { mode } = found;
  if (!isOwn(found)) throw new StateFolderRefused(`the state folder ${path} belongs to another user`);
  if ((mode & 0o077) !== 0) {
    throw new StateFolderRefused(
      `the state folder ${path} is accessible to other users (mode ${(mode & 0o777).toString(8)}); run: chmod 700 ${path}`,
    );
  }
  return realpathSync(path);
}

/** Writes a whole file or nothing, readable by its owner only. */
export function writePrivateFile(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    // A partial file on a full disk would only waste space.
    rmSync(temporary, { force: true });
    throw error;
  }
}
