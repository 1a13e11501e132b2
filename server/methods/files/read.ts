// Reads files and folders without changing any.
import { isUtf8 } from 'node:buffer';
import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryEntry, FileMetadata } from '../../../protocol/files.ts';
import { numberText } from '../../../text/amounts.ts';
import { invalidRequest, type RpcError } from '../../rpc/rpc-error.ts';
import { notAFile } from './file-error.ts';
import { openedName } from './opened-place.ts';

/** Minimum size of a read, for files that are longer than their reported size. */
const GROWN_BYTES = 64 * 1024;

/** Characters of a listed entry in addition to its name. */
const ENTRY_CHARS = 50;

/** Throws when it is not allowed to read the file that was opened by this path. */
export type RefuseOpened = (path: string, handle: FileHandle) => Promise<void>;

/** Opens a regular file for reading; throws for anything else, without blocking on a pipe or a device. */
export async function openFile(path: string, refuseOpened: RefuseOpened): Promise<FileHandle> {
  // The type is checked first, because opening a device can fail or have side effects.
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

/** Reads a file; refuses one larger than `limitBytes`, because its content must fit into one message. */
export async function readWhole(
  path: string,
  limitBytes: number,
  refuseOpened: RefuseOpened,
): Promise<Buffer> {
  const handle = await openFile(path, refuseOpened);
  try {
    await sizeOf(handle, limitBytes, path);
    return await readAll(handle, limitBytes, path);
  } finally {
    await handle.close();
  }
}

/** Returns the size of an open file; throws when it is larger than `limitBytes`. */
export async function sizeOf(handle: FileHandle, limitBytes: number, path: string): Promise<number> {
  const { size } = await handle.stat();
  if (size > limitBytes) throw tooLarge(path, limitBytes);
  return size;
}

/** Reads to the end; throws when there are more than `limitBytes`. `begun`: parts that were already read. */
export async function readAll(
  handle: FileHandle,
  limitBytes: number,
  path: string,
  begun: Buffer[] = [],
): Promise<Buffer> {
  if (!(await readOn(handle, begun, limitBytes))) throw tooLarge(path, limitBytes);
  return begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun);
}

/**
 * Reads on to the end, because system files may report a size of 0, and any file may grow during the read. Returns
 * false, without reading on, when there are more than `mostBytes`.
 */
export async function readOn(handle: FileHandle, parts: Buffer[], mostBytes: number): Promise<boolean> {
  const { size } = await handle.stat();
  let total = parts.reduce((sum, part) => sum + part.length, 0);
  while (total <= mostBytes) {
    // The read requests at least one byte more than the reported size, in case the file has grown.
    const part = Buffer.allocUnsafe(Math.max(Math.min(size, mostBytes) + 1 - total, GROWN_BYTES));
    const { bytesRead } = await handle.read(part, 0, part.length, null);
    if (bytesRead === 0) return true;
    total += bytesRead;
    parts.push(part.subarray(0, bytesRead));
  }
  return false;
}

const tooLarge = (path: string, limitBytes: number): RpcError =>
  invalidRequest(
    `${path} has more than ${numberText(limitBytes)} bytes, the limit for one reply; read it in parts with fs/open and fs/readBlock`,
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

interface ListChecks {
  readonly refuseOpened: RefuseOpened;
  readonly doesAnswer: (path: string) => Promise<boolean>;
}

/**
 * Lists a folder. Links are listed as their targets; dangling links, and those to a file system that does not answer,
 * are omitted. A name that is not UTF-8 is listed with U+FFFD, and a link with such a name as neither file nor folder.
 * Throws when the entries would have more than `limitChars` characters.
 */
export async function list(
  path: string,
  limitChars: number,
  { refuseOpened, doesAnswer }: ListChecks,
): Promise<DirectoryEntry[]> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await refuseOpened(path, handle);
    const folder = process.platform === 'linux' ? openedName(handle) : path;
    const entries = await entriesOf(folder, path, limitChars);
    return (await Promise.all(entries.map((entry) => seen(entry, { folder, path, doesAnswer })))).flat();
  } finally {
    await handle.close();
  }
}

/** `folder` is the path that is read, and `path` the one shown in errors. */
async function entriesOf(folder: string, path: string, limitChars: number): Promise<Dirent<Buffer>[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  const chars = entries.reduce((sum, { name }) => sum + String(name).length + ENTRY_CHARS, 0);
  if (chars > limitChars) {
    throw invalidRequest(
      `folder ${path} has too many names for one reply: the limit is ${numberText(limitChars)} characters`,
    );
  }
  return entries;
}

async function seen(
  entry: Dirent<Buffer>,
  { folder, path, doesAnswer }: Pick<ListChecks, 'doesAnswer'> & { folder: string; path: string },
): Promise<DirectoryEntry[]> {
  const name = String(entry.name);
  const isLink = entry.isSymbolicLink();
  // Paths are checked as text, which cannot represent this name, so the link is not followed.
  if (isLink && !isUtf8(entry.name)) return [{ fileName: name, isDirectory: false, isFile: false }];
  if (isLink && !(await doesAnswer(join(path, name)))) return [];
  const target = isLink ? await stat(join(folder, name)).catch(() => null) : entry;
  return target ? [{ fileName: name, isDirectory: target.isDirectory(), isFile: target.isFile() }] : [];
}

export const canonical = (path: string): Promise<string> => realpath(path);
