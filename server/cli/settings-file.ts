// Reads and writes the settings file of an agent: whole, through links, and with the file's mode and group.
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { visible } from '../../text/visible.ts';
import { isOwn } from '../host/account.ts';
import { randomId } from '../host/random-id.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { atPlace, type SettingsPlace } from './settings-place.ts';

export interface SettingsFile {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Returns the file's text and mode; null when it does not exist. Throws CommandFailed when the file cannot be read;
 * when it is not a regular file, since a pipe or a device might never end; when its text is not UTF-8, which could not
 * be written back as it was; and when another user may have left it there.
 */
export function readSettings(path: string): SettingsFile | null {
  try {
    return atPlace(path, readAt);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandFailed(ExitCode.failed, `${visible(path)} cannot be read: ${(error as Error).message}`);
  }
}

function readAt({ at, found, check }: SettingsPlace): SettingsFile | null {
  if (at === null || !found) return null;
  if (!found.isFile()) throw new Error('it is not a file');
  // The file may have been replaced since it was found.
  const file = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('it is not a file');
    check(stats);
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) throw new Error('it is not UTF-8 text');
    return { text: bytes.toString('utf8'), mode: stats.mode & 0o777 };
  } finally {
    closeSync(file);
  }
}

/**
 * Writes the whole text or nothing; null removes the file. Throws CommandFailed when that fails, or when the file
 * is read-only or another user may have left it there.
 */
export function writeSettings(path: string, text: string | null, mode: number): void {
  try {
    atPlace(path, ({ at, found }) => writeAt(at, found, text, mode), text !== null);
  } catch (error) {
    throw new CommandFailed(
      ExitCode.failed,
      `${visible(path)} cannot be written: ${(error as Error).message}`,
    );
  }
}

function writeAt(at: string | null, former: Stats | null, text: string | null, mode: number): void {
  if (former && (former.mode & 0o222) === 0) throw new Error('it is read-only; make it writable first');
  if (at === null) return;
  if (text === null) {
    rmSync(at, { force: true });
    return;
  }
  // Other users may be able to write to the folder: they cannot predict the name, and an existing file is refused.
  const next = `${at}.${randomId(9)}.new`;
  const file = openSync(next, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    if (former && isOwn(former)) keepGroup(file, former);
    fchmodSync(file, mode);
    fsyncSync(file);
    renameSync(next, at);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Sets the new file's group to that of the old one, unless the system denies it. */
function keepGroup(file: number, { uid, gid }: Stats): void {
  if (fstatSync(file).gid === gid) return;
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Resolves the links of the settings path, even to a file that does not exist yet. */
export function realOf(path: string): string {
  try {
    return atPlace(path, ({ real }) => real);
  } catch {
    // Reading the file reports why the path cannot be resolved, or is refused.
    return path;
  }
}
