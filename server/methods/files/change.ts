// Creates and removes files and folders.
import { lstat, mkdir, rm, rmdir, unlink } from 'node:fs/promises';
import { putFile } from './put.ts';

export function writeWhole(path: string, bytes: Buffer): Promise<void> {
  return putFile(path, null, (handle) => handle.writeFile(bytes));
}

export async function makeDirectory(path: string, recursive: boolean): Promise<void> {
  try {
    await mkdir(path, { recursive });
  } catch (error) {
    // `recursive` creates every missing folder, so ENOENT means a dangling link.
    const isLink = recursive && (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw isLink
      ? Object.assign(new Error(`EEXIST: a dangling symbolic link is in the path ${path}`), {
          code: 'EEXIST',
        })
      : error;
  }
}

/** Removes a file, a folder, or a link itself, not its target. With `force` a missing path is not an error. */
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
