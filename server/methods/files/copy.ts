// Copies files, links and folders.
import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readlink, stat, symlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import { countedText } from '../../../text/amounts.ts';
import { invalidRequest, RpcError } from '../../rpc/rpc-error.ts';
import { makeDirectory } from './change.ts';
import { putFile } from './put.ts';
import { openFile, type RefuseOpened } from './read.ts';
import { isBelow, realOf } from '../../host/real-path.ts';

/** Bytes of a file in memory during a copy. */
const BLOCK_BYTES = 256 * 1024;

/** Maximum number of skipped names in an error. */
const MOST_NAMED = 10;

interface CopyOptions {
  readonly recursive: boolean;
  /** Returns true when the copy must stop. */
  readonly isOver: () => boolean;
  /** Throws when it is not allowed to write at the destination, or its file system does not answer. */
  readonly refuse: (destination: string) => Promise<void>;
  /** Throws when it is not allowed to read this file or folder. */
  readonly refuseSource: (source: string, found: Stats) => Promise<void>;
  readonly refuseOpened: RefuseOpened;
}

/**
 * Copies a file, a link as a link, or a folder. A folder is merged into an existing one, without following links inside
 * it. Throws at the end when names that are not UTF-8 were skipped.
 */
export async function copy(
  source: string,
  destination: string,
  { recursive, isOver, refuse, refuseSource, refuseOpened }: CopyOptions,
): Promise<void> {
  await refuse(destination);
  const found = await lstat(source);
  if (!found.isDirectory()) {
    if (await copyOne(source, destination, { found, isOver, refuseOpened })) return;
    throw invalidRequest(`${source} is not a file, folder or link, so it cannot be copied`);
  }
  if (!recursive) throw invalidRequest(`${source} is a folder; set recursive: true to copy it`);
  if (isBelow(await realOf(destination), await realOf(source))) {
    throw invalidRequest(`${source} cannot be copied into itself or a folder in it`);
  }
  await makeDirectory(dirname(destination), true);
  const unnamed: string[] = [];
  const { mode } = found;
  await copyFolder({ source, destination, mode, isOver, refuse, refuseSource, refuseOpened, unnamed });
  if (unnamed.length === 0) return;
  // Everything else was copied, but an incomplete copy must be reported to the caller.
  throw new RpcError(
    ErrorCode.internal,
    `copied, except for ${countedText(unnamed.length, 'name that is', 'names that are')} not UTF-8: ` +
      unnamed.slice(0, MOST_NAMED).join(', '),
  );
}

interface One extends Pick<CopyOptions, 'isOver' | 'refuseOpened'> {
  readonly found: Stats;
}

interface Folder extends Omit<CopyOptions, 'recursive'> {
  /** Paths skipped so far, because their names are not UTF-8. */
  readonly unnamed: string[];
  readonly source: string;
  readonly destination: string;
  readonly mode: number;
}

async function copyFolder(folder: Folder): Promise<void> {
  const { source, destination, mode, isOver, refuse, refuseSource, refuseOpened, unnamed } = folder;
  const isNew = await makeOrEnter(destination);
  for (const bytes of await readdir(source, { encoding: 'buffer' })) {
    if (isOver()) throw ended();
    const name = String(bytes);
    if (!isUtf8(bytes)) {
      unnamed.push(join(source, name));
      continue;
    }
    const [from, to] = [join(source, name), join(destination, name)];
    if (!isNew) await refuseLink(to, refuse);
    const found = await lstat(from);
    await refuseSource(from, found);
    if (found.isDirectory()) {
      await copyFolder({ ...folder, source: from, destination: to, mode: found.mode });
    }
    // Pipes, sockets and devices within a folder are skipped without an error, as by Codex's exec-server. Names that
    // are not UTF-8, which that server copies, are an error here.
    else await copyOne(from, to, { found, isOver, refuseOpened });
  }
  if (isNew) await chmod(destination, mode & 0o7777);
}

/** Refuses an existing link, through which the copy would write outside the destination folder. */
async function refuseLink(place: string, refuse: CopyOptions['refuse']): Promise<void> {
  await refuse(place);
  const found = await lstat(place).catch(() => null);
  if (found?.isSymbolicLink()) throw invalidRequest(`${place} is a link, and copies do not follow links`);
}

/**
 * Creates the folder, which only its owner may access until its mode is set; returns false when it exists.
 */
async function makeOrEnter(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((await stat(folder).catch(() => null))?.isDirectory()) return false;
    throw error;
  }
}

/** Copies a file or link; returns false for anything else. */
async function copyOne(source: string, destination: string, one: One): Promise<boolean> {
  if (one.found.isSymbolicLink()) await symlink(await readlink(source), destination);
  else if (one.found.isFile()) await copyFile(source, destination, one);
  else return false;
  return true;
}

async function copyFile(
  source: string,
  destination: string,
  { found, isOver, refuseOpened }: One,
): Promise<void> {
  const there = await stat(destination).catch(() => null);
  if (there && there.dev === found.dev && there.ino === found.ino) return;
  // Node's copyFile would remove the destination on failure, even if it is a device.
  const from = await openFile(source, refuseOpened);
  try {
    await putFile(destination, found.mode & 0o7777, (to) => pump(from, to, isOver));
  } finally {
    await from.close();
  }
}

async function pump(from: FileHandle, to: FileHandle, isOver: () => boolean): Promise<void> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let read = 0; ;) {
    const { bytesRead } = await from.read(block, 0, block.length, read);
    if (bytesRead === 0) return;
    if (isOver()) throw ended();
    read += bytesRead;
    for (let written = 0; written < bytesRead;) {
      written += (await to.write(block, written, bytesRead - written, null)).bytesWritten;
    }
  }
}

const ended = (): RpcError => invalidRequest('the copy was stopped, because its connection was closed');
