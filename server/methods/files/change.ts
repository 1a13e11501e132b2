// Writes files, creates folders, and removes both.
import { lstat, mkdir, rm, rmdir, unlink } from 'node:fs/promises';
import { makeFolders } from '../../host/make-folders.ts';
import { putFile } from './put.ts';

export function writeWhole(path: string, bytes: Buffer): Promise<void> {
  return putFile(path, null, (handle) => handle.writeFile(bytes));
}

export async function makeDirectory(path: string, recursive: boolean): Promise<void> {
  await (recursive ? makeFolders(path) : mkdir(path));
}

/**
 * Removes a file, a folder, or a link itself, not its target. A folder must be empty unless `recursive` is set; with
 * `force`, a missing path is not an error.
 */
export async function remove(path: string, { recursive, force }: { recursive: boolean; force: boolean }) {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && force) return null;
    throw error;
  });
  if (!found) return;
  if (!found.isDirectory()) await unlink(path);
  else if (recursive) await rm(path, { recursive: true, force });
  else await rmdir(path);
}
