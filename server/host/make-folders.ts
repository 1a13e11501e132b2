// Creates a folder and those above it. Node's own `recursive` never returns where the system denies that a new folder's
// parent exists, such as in /proc: it creates the parent again and again (Node 20.20).
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Default mode of `mkdir`, reduced by the umask. */
const USUAL_MODE = 0o777;

/**
 * Creates the folder and its missing parents; rejects with the system's error. Existing folders are left
 * unchanged.
 */
export async function makeFolders(path: string, mode: number = USUAL_MODE): Promise<void> {
  const error = await mkdir(path, { mode }).then(() => null, asError);
  if (error === null) return;
  if (error.code === 'ENOENT' && dirname(path) !== path) {
    await makeFolders(dirname(path), mode);
    const again = await mkdir(path, { mode }).then(() => null, asError);
    if (again !== null && again.code !== 'EEXIST') throw again;
  }
  if (!(await stat(path).catch(missing(path, error))).isDirectory()) throw error;
}

export function makeFoldersSync(path: string, mode: number = USUAL_MODE): void {
  const error = failure(() => mkdirSync(path, { mode }));
  if (error === null) return;
  if (error.code === 'ENOENT' && dirname(path) !== path) {
    makeFoldersSync(dirname(path), mode);
    const again = failure(() => mkdirSync(path, { mode }));
    if (again !== null && again.code !== 'EEXIST') throw again;
  }
  if (!isFolder(path, error)) throw error;
}

function isFolder(path: string, failed: NodeJS.ErrnoException): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return missing(path, failed)(error);
  }
}

function failure(work: () => void): NodeJS.ErrnoException | null {
  try {
    work();
    return null;
  } catch (error) {
    return asError(error);
  }
}

const asError = (error: unknown): NodeJS.ErrnoException => error as NodeJS.ErrnoException;

/**
 * Returns a handler for the error of `stat` after `mkdir` has failed with `failed`. It throws `failed`,
 * unless the path exists: then it throws the error of `stat`, or one that names the dangling link.
 */
const missing =
  (path: string, failed: NodeJS.ErrnoException) =>
  (error: unknown): never => {
    if (failed.code !== 'EEXIST') throw failed;
    if (asError(error).code !== 'ENOENT') throw error;
    throw Object.assign(new Error(`EEXIST: a dangling symbolic link is in the path ${path}`), {
      code: 'EEXIST',
    });
  };
