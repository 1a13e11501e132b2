// Looking at files and folders; nothing here changes any.
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryEntry, FileMetadata } from '../../../protocol/files.ts';
import { invalidRequest, type RpcError } from '../../rpc/rpc-error.ts';
import { notAFile } from './file-error.ts';

/** Bytes read at a time from a file that has more than its size. */
const GROWN_BYTES = 64 * 1024;

/** Characters of an entry besides its name. */
const ENTRY_CHARS = 50;

/** Throws when a file that was opened by this path may not be read. */
export type RefuseOpened = (path: string, handle: FileHandle) => Promise<void>;

/** A regular file for reading; a pipe or a device in its place is not waited for. */
export async function openFile(path: string, refuseOpened: RefuseOpened): Promise<FileHandle> {
  // Some of what is no file cannot even be opened, and some does something when it is.
  if (!(await stat(path)).isFile()) throw notAFile(path);
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw notAFile(path);
    await refuseOpened(path, handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** `limitBytes`: a larger one is refused, since its content would have to fit into one message. */
export async function readWhole(
  path: string,
  limitBytes: number,
  refuseOpened: RefuseOpened,
): Promise<Buffer> {
  const handle = await openFile(path, refuseOpened);
  try {
    const { size } = await handle.stat();
    if (size > limitBytes) throw tooLarge(path, limitBytes);
    return await readAll(handle, limitBytes, path);
  } finally {
    await handle.close();
  }
}

/** System files may report a size of 0 and have no end, and any file may grow meanwhile. */
async function readAll(handle: FileHandle, limitBytes: number, path: string): Promise<Buffer> {
  const { size } = await handle.stat();
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    // One byte more than there should be: the end is then seen at once.
    const part = Buffer.allocUnsafe(Math.max(size + 1 - total, GROWN_BYTES));
    const { bytesRead } = await handle.read(part, 0, part.length, null);
    if (bytesRead === 0) return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    total += bytesRead;
    if (total > limitBytes) throw tooLarge(path, limitBytes);
    parts.push(part.subarray(0, bytesRead));
  }
}

const tooLarge = (path: string, limitBytes: number): RpcError =>
  invalidRequest(
    `${path} has more than the ${limitBytes} bytes of one reply; fs/open and fs/readBlock read it in parts`,
  );

export async function metadata(path: string): Promise<FileMetadata> {
  const link = await lstat(path);
  const target = link.isSymbolicLink() ? await stat(path) : link;
  return {
    isDirectory: target.isDirectory(),
    isFile: target.isFile(),
    isSymlink: link.isSymbolicLink(),
    size: target.size,
    createdAtMs: Math.floor(target.birthtimeMs),
    modifiedAtMs: Math.floor(target.mtimeMs),
  };
}

/** Links are what they lead to; those that lead nowhere are left out. `limitChars`: of all names in one reply. */
export async function list(path: string, limitChars: number): Promise<DirectoryEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const chars = entries.reduce((sum, { name }) => sum + name.length + ENTRY_CHARS, 0);
  if (chars > limitChars) {
    throw invalidRequest(`the names in ${path} have more than the ${limitChars} characters of one reply`);
  }
  const seen = await Promise.all(
    entries.map(async (entry): Promise<DirectoryEntry[]> => {
      const target = entry.isSymbolicLink() ? await stat(join(path, entry.name)).catch(() => null) : entry;
      return target
        ? [{ fileName: entry.name, isDirectory: target.isDirectory(), isFile: target.isFile() }]
        : [];
    }),
  );
  return seen.flat();
}

export const canonical = (path: string): Promise<string> => realpath(path);
