// Finds a settings file folder by folder, and refuses links, folders and files that another user may have put there.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { visible } from '../../text/visible.ts';
import { isOwn } from '../host/account.ts';
import { MOST_LINKS } from '../host/real-path.ts';
import { O_PATH } from '../host/sandbox/exact-folder.ts';

export interface SettingsPlace {
  /** Path without links. */
  readonly real: string;
  /** Path of the file in its open folder, which on Linux no new link can redirect; null when there is no folder. */
  readonly at: string | null;
  /** Properties of the file, which is never a link; null when it does not exist. */
  readonly found: Stats | null;
  /** Throws when another user may have put this file in the folder. */
  readonly check: (file: Stats) => void;
}

/**
 * Calls `act` with the place of a file, whose folder is open during the call, and returns the result. Throws when a
 * link, folder or the file belongs to a user other than this one and root, and is in a folder to which others can
 * write.
 */
export function atPlace<T>(path: string, act: (place: SettingsPlace) => T, makesFolders = false): T {
  let way = isAbsolute(path) ? path : `${process.cwd()}/${path}`;
  for (let links = 0; links <= MOST_LINKS;) {
    const next = followed(way, makesFolders, act);
    if ('result' in next) return next.result;
    way = next.way;
    links += next.isLink ? 1 : 0;
  }
  throw new Error('its path has too many links');
}

type Followed<T> = { readonly result: T } | { readonly way: string; readonly isLink: boolean };

/** Follows a path to its end, or to its first link or `..`; for these, `way` is the path with which to continue. */
function followed<T>(way: string, makesFolders: boolean, act: (place: SettingsPlace) => T): Followed<T> {
  const parts = way.split('/').filter((part) => part !== '' && part !== '.');
  let folder = new OpenFolder('/', '/');
  try {
    for (const [index, name] of parts.entries()) {
      const rest = parts.slice(index + 1);
      if (name === '..') return { way: [dirname(folder.path), ...rest].join('/'), isLink: false };
      const [at, real] = [`${folder.at}/${name}`, join(folder.path, name)];
      const check = (found: Stats): void => folder.check(real, found);
      const found = lstatSync(at, { throwIfNoEntry: false }) ?? null;
      if (found) check(found);
      if (found?.isSymbolicLink() === true) {
        const to = linkOf(at, found);
        return { way: [isAbsolute(to) ? to : `${folder.path}/${to}`, ...rest].join('/'), isLink: true };
      }
      if (rest.length === 0) return { result: act({ real, at, found, check }) };
      if (!found) {
        if (!makesFolders) return { result: act({ real: join(real, ...rest), at: null, found, check }) };
        mkdirSync(at);
      }
      const inner = new OpenFolder(at, real);
      folder.close();
      const outer = folder;
      folder = inner;
      outer.check(real, inner.stats);
    }
    throw new Error('it is not a file');
  } catch (error) {
    // The error names the folder instead of its descriptor.
    if (error instanceof Error) error.message = error.message.replaceAll(folder.at, folder.path);
    throw error;
  } finally {
    folder.close();
  }
}

/** A folder whose entries are found by its descriptor on Linux, and by its path elsewhere. */
class OpenFolder {
  readonly path: string;
  readonly at: string;
  readonly stats: Stats;
  readonly #descriptor: number | null;

  constructor(at: string, path: string) {
    const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    this.path = path;
    this.#descriptor = process.platform === 'linux' ? openSync(at, flags) : null;
    this.at = this.#descriptor === null ? path : `/proc/self/fd/${this.#descriptor}`;
    this.stats = this.#descriptor === null ? lstatSync(at) : fstatSync(this.#descriptor);
  }

  check(path: string, found: Stats): void {
    if (isTrusted(found) || !this.#isOpenToOthers) return;
    const kind = found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file';
    throw new Error(
      `the ${kind} ${visible(path)} belongs to user ${found.uid}, and other users can write to ${visible(this.path)}; choose a file in a folder of your own with --file, or run this command as that user`,
    );
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
  }

  /**
   * True when other users can write to the folder, by its mode or as its owner. The owner of `/` counts as root, which
   * may have another id in a user namespace.
   */
  get #isOpenToOthers(): boolean {
    const { uid, mode } = this.stats;
    return (mode & 0o022) !== 0 || !(isTrusted(this.stats) || uid === lstatSync('/').uid);
  }
}

const isTrusted = ({ uid }: Stats): boolean => uid === 0 || isOwn({ uid });

/** Returns the target of a link; throws when it has been replaced since it was found. */
function linkOf(at: string, found: Stats): string {
  const to = readlinkSync(at);
  const { ino, ctimeMs } = lstatSync(at);
  if (ino !== found.ino || ctimeMs !== found.ctimeMs)
    throw new Error('a link in its path was replaced; try again');
  return to;
}
