// Writing a file at its path: beside the old one first, so that a failed write leaves the old one.
import { constants, type Stats } from 'node:fs';
import { access, lstat, open, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

const { O_CREAT, O_EXCL, O_NOCTTY, O_NONBLOCK, O_TRUNC, O_WRONLY, W_OK } = constants;

/**
 * No other file may be made in that folder (of /proc: ENOENT), or take the old one's place: a sticky folder, a mount
 * point of its own, a group that we may not give. Not errors of a full or broken disk: the old file,
 * once emptied, could not be filled again either.
 */
const STAYS_IN_PLACE: ReadonlySet<string | undefined> = new Set(
  'EACCES EPERM EROFS ENOENT ENAMETOOLONG ENOSYS ENOTSUP EBUSY EXDEV EINVAL'.split(' '),
);

/** Writes the content of a file; called twice when it turns out only then that the file must stay in place. */
export type Fill = (handle: FileHandle) => Promise<void>;

/** `mode` null: the old file's, or what a new one gets here. Links are followed. */
export async function putFile(path: string, mode: number | null, fill: Fill): Promise<void> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    // The file does not exist yet; or it is a link to one that does not, which opening the link creates.
    if (error.code !== 'ENOENT') throw error;
    return path;
  });
  const old = await lstat(target).catch(() => null);
  // A rename asks only the folder; a file that is protected against writing stays so.
  if (old?.isFile()) await access(target, W_OK);
  if (mayTakePlace(old) && (await putBeside({ target, old, mode, fill }))) return;
  const handle = await openToReplace(path);
  try {
    await fill(handle);
    if (mode !== null && (await handle.stat()).isFile()) await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

/** Creates or empties a file. A pipe without a reader is an error: waiting for one would block a thread for good. */
export function openToReplace(path: string): Promise<FileHandle> {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY, 0o666);
}

/** Returns false for a file that must not be replaced: a device, a file with other names, another user's. */
function mayTakePlace(old: Stats | null): boolean {
  return old === null || (old.isFile() && old.nlink === 1 && old.uid === process.getuid?.());
}

interface Put {
  readonly target: string;
  readonly old: Stats | null;
  readonly mode: number | null;
  readonly fill: Fill;
}

/** Returns false when the folder permits no new file; nothing has changed then, as when it throws. */
async function putBeside(put: Put): Promise<boolean> {
  const { target, old, fill } = put;
  const mode = put.mode ?? (old ? old.mode & 0o7777 : null);
  // Short enough for any folder, whatever the characters.
  const name = `.${basename(target).slice(0, 50)}.${randomBytes(6).toString('hex')}`;
  const beside = join(dirname(target), name);
  const stayOrFail = (error: NodeJS.ErrnoException): null => {
    if (STAYS_IN_PLACE.has(error.code)) return null;
    throw ofTarget(error, beside, target);
  };
  // Only its owner has access until it has its mode.
  const flags = O_WRONLY | O_CREAT | O_EXCL;
  const handle = await open(beside, flags, mode === null ? 0o666 : 0o600).catch(stayOrFail);
  if (!handle) return false;
  let isThere = false;
  try {
    await fill(handle);
    isThere = (await takePlace(handle, beside, { ...put, mode }).catch(stayOrFail)) !== null;
    return isThere;
  } finally {
    await handle.close();
    if (!isThere) await unlink(beside);
  }
}

/** Returns the error with the target's path: the caller knows of one file only, and that it was to be written. */
function ofTarget(error: NodeJS.ErrnoException, beside: string, target: string): NodeJS.ErrnoException {
  const [what] = error.message.split(',');
  if (error.message.includes(beside)) error.message = `${what}, write '${target}'`;
  return error;
}

async function takePlace(handle: FileHandle, beside: string, { target, old, mode }: Put): Promise<void> {
  if (old) {
    if ((await handle.stat()).gid !== old.gid) await handle.chown(old.uid, old.gid);
    // Imported here only: a helper that reads or creates a file, and lives for one request, need not load these calls.
    const { takeAttributes } = await import('./attributes.ts');
    takeAttributes(target, handle.fd);
  }
  if (mode !== null) await handle.chmod(mode);
  await rename(beside, target);
}
