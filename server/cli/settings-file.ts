// Reads and writes the settings file of an agent: whole, through links, and with the file's mode and owner.
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { visible } from '../../text/visible.ts';
import { makeFoldersSync } from '../host/make-folders.ts';
import { randomId } from '../host/random-id.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';

export interface SettingsFile {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/** Maximum number of links that are followed to a file that does not exist. */
const MOST_LINKS = 40;

/**
 * Returns null for a file that does not exist. Throws CommandFailed for a pipe or a device, which might never end, and for
 * text that could not be written back as it was.
 */
export function readSettings(path: string): SettingsFile | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === false) throw new Error('it is not a file');
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw new Error('it is not UTF-8 text');
    return { text: bytes.toString('utf8'), mode: (found?.mode ?? 0o600) & 0o777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandFailed(ExitCode.failed, `${visible(path)} cannot be read: ${(error as Error).message}`);
  }
}

/** Writes the whole text or nothing; null removes the file. Throws CommandFailed, also for a file that is read-only. */
export function writeSettings(path: string, text: string | null, mode: number): void {
  // Others may be able to write to the folder, and must neither foresee the name nor have put anything there.
  const next = `${path}.${randomId(9)}.new`;
  try {
    const former = statSync(path, { throwIfNoEntry: false });
    if (former && (former.mode & 0o222) === 0) throw new Error('it is read-only');
    if (text === null) {
      rmSync(path, { force: true });
      return;
    }
    makeFoldersSync(dirname(path));
    const file = openSync(next, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      if (former) keepOwner(file, former);
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw new CommandFailed(
      ExitCode.failed,
      `${visible(path)} cannot be written: ${(error as Error).message}`,
    );
  }
}

/** Gives the new file the owner and group of the old one, which only root may do for every owner. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  const own = fstatSync(file);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Resolves the links of the settings path, even to a file that does not exist yet. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return missingTarget(path);
  }
}

function missingTarget(path: string): string {
  let at = path;
  try {
    for (let links = 0; lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink(); links += 1) {
      if (links === MOST_LINKS) return path;
      at = resolve(dirname(at), readlinkSync(at));
    }
    return at;
  } catch {
    // Reading the file reports why its path leads nowhere.
    return path;
  }
}
