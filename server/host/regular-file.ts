// Opens, reads and writes files of the state folder. A FIFO or a device in place of a file is refused, and never blocks
// the gateway.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { numberText } from '../../text/amounts.ts';

/** Maximum size of a file that is read whole; longer text does not fit into a string. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Opening a FIFO would otherwise block the event loop until another program opens it. */
const NEVER_BLOCKS = constants.O_NONBLOCK | constants.O_NOCTTY;

const NEWLINE = 0x0a;

/** Flags that open a file to replace its content, and create it when it is missing. */
export const NEW_CONTENT = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;

/** Flags that open a file to append, and create it when it is missing. */
export const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;

export const READ_AND_APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

/** Thrown for anything but a regular file, such as a FIFO, a device or a folder. */
export class NotAFile extends Error {
  constructor(path: string, found: Stats) {
    super(`${path} is ${kindOf(found)}, not a file; remove it`);
  }
}

function kindOf(found: Stats): string {
  if (found.isFIFO()) return 'a FIFO';
  if (found.isDirectory()) return 'a folder';
  return found.isSocket() ? 'a socket' : 'a device';
}

/**
 * Returns null for the error of a missing path, or of anything but a regular file; rethrows others, such as a lack of
 * descriptors, after which the same file may be readable.
 */
export function nullWhenMissing(error: unknown): null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof NotAFile || code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/** Returns true for an error of a system call, such as a lack of descriptors. */
export const isSystemError = (
  error: unknown,
): error is NodeJS.ErrnoException & { readonly syscall: string } =>
  (error as NodeJS.ErrnoException).syscall !== undefined;

/** Returns the descriptor of a regular file; throws NotAFile for anything else. */
export function openRegular(path: string, flags: number, mode = 0o600): number {
  let file: number;
  try {
    file = openSync(path, flags | NEVER_BLOCKS, mode);
  } catch (error) {
    throw notAFile(path) ?? error;
  }
  try {
    check(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Variant of `openRegular` that resolves with a handle. */
export async function openRegularAsync(path: string, flags: number, mode = 0o600): Promise<FileHandle> {
  const file = await open(path, flags | NEVER_BLOCKS, mode).catch((error: unknown) => {
    throw notAFile(path) ?? error;
  });
  try {
    check(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns the content of a regular file; throws NotAFile for anything else. */
export function readRegular(path: string): Buffer {
  const file = openRegular(path, constants.O_RDONLY);
  try {
    checkSize(path, fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Variant of `readRegular` that does not block while the disk is slow. */
export async function readRegularAsync(path: string): Promise<Buffer> {
  const file = await openRegularAsync(path, constants.O_RDONLY);
  try {
    checkSize(path, await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Creates a regular file, or replaces its content; throws NotAFile for anything else. */
export function writeRegular(path: string, content: string | Uint8Array, mode = 0o600): void {
  const file = openRegular(path, NEW_CONTENT, mode);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}

/** Variant of `writeRegular` that does not block while the disk is slow. */
export async function writeRegularAsync(path: string, content: string): Promise<void> {
  const file = await openRegularAsync(path, NEW_CONTENT);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/**
 * Appends all these lines, or none when a write fails, unless another program appends at the same time; creates a
 * missing file. Ends an incomplete last line first, which a crash may leave, so that these lines do not continue it.
 */
export async function appendLinesAsync(path: string, lines: string): Promise<void> {
  const file = await openRegularAsync(path, READ_AND_APPEND);
  try {
    const { size } = await file.stat();
    const isAtStart = size === 0 || (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] === NEWLINE;
    const bytes = Buffer.from(isAtStart ? lines : `\n${lines}`);
    try {
      await file.writeFile(bytes);
    } catch (error) {
      await takeBack(file, size, bytes);
      throw error;
    }
  } finally {
    await file.close();
  }
}

/** Removes the part of `bytes` that was written from `size` on, unless another program has appended in the meantime. */
async function takeBack(file: FileHandle, size: number, bytes: Buffer): Promise<void> {
  const { buffer: end, bytesRead } = await file.read(Buffer.alloc(bytes.length), 0, bytes.length, size);
  const { size: newSize } = await file.stat();
  if (newSize === size + bytesRead && bytes.indexOf(end.subarray(0, bytesRead)) === 0)
    await file.truncate(size);
}

function check(path: string, found: Stats): void {
  if (!found.isFile()) throw new NotAFile(path, found);
}

function checkSize(path: string, { size }: Stats): void {
  if (size > MOST_BYTES)
    throw new Error(`${path} is too large to read: it has more than ${numberText(MOST_BYTES)} bytes`);
}

/**
 * Returns the error for anything but a regular file at the path; null for a regular file, and when nothing is
 * there or it cannot be examined.
 */
export function notAFile(path: string): NotAFile | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && !found.isFile() ? new NotAFile(path, found) : null;
  } catch {
    return null;
  }
}
