// Writes a new file beside the old one and renames it, so that a failed write leaves the old one unchanged.
import { constants, type Stats } from 'node:fs';
import { access, lstat, open, realpath, rename, unlink, type FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

const { O_CREAT, O_EXCL, O_NOCTTY, O_NONBLOCK, O_TRUNC, O_WRONLY, W_OK } = constants;

/**
 * Errors after which a file is written in place: its folder permits no new file (in /proc: ENOENT), or the
 * old one cannot be replaced (sticky folder, mount point, a group that the gateway may not assign). A full or broken
 * disk is not among them, because an emptied file could not be refilled.
 */
const STAYS_IN_PLACE: ReadonlySet<string | undefined> = new Set(
  'EACCES EPERM EROFS ENOENT ENAMETOOLONG ENOSYS ENOTSUP EBUSY EXDEV EINVAL'.split(' '),
);

/** Writes the content of a file; called a second time if the file must then be written in place. */
export type Fill = (handle: FileHandle) => Promise<void>;

/** Writes a file, following links. A `mode` of null means the old file's, or the default for a new one. */
export async function putFile(path: string, mode: number | null, fill: Fill): Promise<void> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    // The file does not exist yet, or it is a dangling link, whose target is created on opening.
    if (error.code !== 'ENOENT') throw error;
    return path;
  });
  const old = await lstat(target).catch(() => null);
  // A rename would replace even a write-protected file, so its own permission is checked.
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

/**
 * Creates or empties a file. A pipe without a reader is an error, because waiting for one would block a
 * thread forever.
 */
export function openToReplace(path: string): Promise<FileHandle> {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY, 0o666);
}

/** Returns false for a file that must not be replaced: a device, or a file with several names or of another user. */
function mayTakePlace(old: Stats | null): boolean {
  return old === null || (old.isFile() && old.nlink === 1 && old.uid === process.getuid?.());
}

interface Put {
  readonly target: string;
  readonly old: Stats | null;
  readonly mode: number | null;
  readonly fill: Fill;
}

/**
 * Writes a new file beside the target, and renames it. Returns false when the file must be written in place
 * instead. In that case, and on an error, nothing has changed.
 */
async function putBeside(put: Put): Promise<boolean> {
  const { target, old, fill } = put;
  const mode = put.mode ?? (old ? old.mode & 0o7777 : null);
  // The name is short enough for any folder, whatever its characters.
  const name = `.${basename(target).slice(0, 50)}.${randomBytes(6).toString('hex')}`;
  const beside = join(dirname(target), name);
  const stayOrFail = (error: NodeJS.ErrnoException): null => {
    if (STAYS_IN_PLACE.has(error.code)) return null;
    throw ofTarget(error, beside, target);
  };
  // A file whose mode is set later is accessible only to its owner until then.
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

/** Returns the error with the target's path, because the caller did not name the temporary file. */
function ofTarget(error: NodeJS.ErrnoException, beside: string, target: string): NodeJS.ErrnoException {
  const [what] = error.message.split(',');
  if (error.message.includes(beside)) error.message = `${what}, write '${target}'`;
  return error;
}

async function takePlace(handle: FileHandle, beside: string, { target, old, mode }: Put): Promise<void> {
  if (old) {
    if ((await handle.stat()).gid !== old.gid) await handle.chown(old.uid, old.gid);
    // The module is imported lazily, because a helper that runs for one request may not need it.
    const { takeAttributes } = await import('./attributes.ts');
    takeAttributes(target, handle.fd);
  }
  if (mode !== null) await handle.chmod(mode);
  await rename(beside, target);
}
