// Making, changing and removing files and folders.
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
} from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { randomBytes } from 'node:crypto';
import { invalidRequest } from '../rpc/rpc-error.ts';

/**
 * Writes a whole file. It is written beside the old one and takes its place when it is there in full, so that a write
 * that fails, as on a full disk, leaves the old one. What is more than a name for some bytes (a device, a file with
 * other names, one in a folder that is not ours) is written in its place.
 */
export async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    // Not there yet; or a link to what is not there yet, which opening it makes.
    if (error.code !== 'ENOENT') throw error;
    return path;
  });
  const old = await lstat(target).catch(() => null);
  const isReplaceable = old !== null && old.isFile() && old.nlink === 1 && isOurs(old.uid);
  if (isReplaceable && (await replace(target, bytes, old.mode))) return;
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

const isOurs = (uid: number): boolean => process.getuid?.() === uid;

/** False when nothing can be made beside the file; then nothing has happened. */
async function replace(target: string, bytes: Buffer, mode: number): Promise<boolean> {
  const beside = join(
    dirname(target),
    `.${basename(target).slice(0, 200)}.${randomBytes(6).toString('hex')}`,
  );
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const handle = await open(beside, O_WRONLY | O_CREAT | O_EXCL, 0o600).catch(() => null);
  if (!handle) return false;
  try {
    try {
      await handle.writeFile(bytes);
      await handle.chmod(mode & 0o7777);
    } finally {
      await handle.close();
    }
    await rename(beside, target);
    return true;
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

export async function makeDirectory(path: string, recursive: boolean): Promise<void> {
  await mkdir(path, { recursive });
}

/** A link itself, not what it leads to. `force`: what is not there is fine. */
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

/** A folder onto one that is there is merged into it; a link is copied as a link. */
export async function copy(source: string, destination: string, recursive: boolean): Promise<void> {
  const found = await lstat(source);
  if (found.isSymbolicLink()) {
    await symlink(await readlink(source), destination);
  } else if (found.isDirectory()) {
    if (!recursive) throw invalidRequest(`${source} is a folder, which is copied only with recursive: true`);
    if (await isWithin(source, destination)) {
      throw invalidRequest(`${source} cannot be copied into itself or what is below it`);
    }
    await mkdir(destination, { recursive: true });
    await cp(source, destination, { recursive: true, verbatimSymlinks: true });
  } else if (found.isFile()) {
    await copyOneFile(source, destination, found.mode);
  } else {
    throw invalidRequest(`${source} is neither a file nor a folder nor a link`);
  }
}

async function copyOneFile(source: string, destination: string, mode: number): Promise<void> {
  const there = await stat(destination).catch(() => null);
  if (there?.isDirectory())
    throw Object.assign(new Error(`EISDIR: ${destination} is a folder`), { code: 'EISDIR' });
  await copyFile(source, destination);
  await chmod(destination, mode & 0o7777);
}

async function isWithin(folder: string, path: string): Promise<boolean> {
  const from = await realpath(folder);
  const way = relative(from, await realOf(resolve(path)));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}

/** Of a path that is not there yet: as far as it is, its real place, and the rest of it. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realOf(dirname(path)), basename(path));
  }
}
