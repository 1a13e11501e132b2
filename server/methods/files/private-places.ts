// Protects the gateway's state, token and key from file methods, by their paths and by other names of their
// files.
import type { Stats } from 'node:fs';
import { lstat, readdir, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isBelow, realOf } from '../../host/real-path.ts';
import { openedPlace } from './opened-place.ts';
import { refuseOpenedOfProcess, refuseProcessFile, refuseProcessTree } from './process-files.ts';

/** Checks of a path against the private places. */
export interface Privacy {
  /**
   * Throws when the path leads into the private folder, to a private file (even by a hard link), or to a
   * process's files.
   */
  refuse(path: string): Promise<void>;
  /** Throws when the path contains a private place, too. */
  refuseTree(path: string): Promise<void>;
  /** Throws when the file with these stats is a private one under another name. */
  refuseHardLink(path: string, stats: Stats): Promise<void>;
  /**
   * Throws when a file that was opened by this path is private, because a link may have been replaced since
   * the check.
   */
  refuseOpened(path: string, handle: FileHandle): Promise<void>;
  /** Stats of the private folder; null when it does not exist. */
  stat(): Promise<Stats | null>;
}

/**
 * Checks for a helper, in which the private places are hidden, so that only hard links can lead to their files,
 * given as `dev:ino`.
 */
export class PrivateInodes implements Privacy {
  readonly #inodes: ReadonlySet<string>;

  constructor(inodes: readonly string[]) {
    this.#inodes = new Set(inodes);
  }

  async refuse(path: string): Promise<void> {
    await refuseProcessFile(path);
    if (this.#inodes.size > 0) await refuseFile(this, path);
  }

  async refuseTree(path: string): Promise<void> {
    await refuseProcessTree(path);
    await this.refuse(path);
  }

  refuseHardLink(path: string, stats: Stats): Promise<void> {
    if (hasOtherNames(stats) && this.#inodes.has(inodeOf(stats))) throw refusal(path);
    return Promise.resolve();
  }

  async refuseOpened(path: string, handle: FileHandle): Promise<void> {
    await refuseOpenedOfProcess(path, handle);
    await this.refuseHardLink(path, await handle.stat());
  }

  stat(): Promise<Stats | null> {
    return Promise.resolve(null);
  }
}

type OwnPlaces = readonly [folder: string, ...places: string[]];

export class PrivatePlaces implements Privacy {
  readonly #own: () => OwnPlaces;

  constructor(own: () => OwnPlaces) {
    this.#own = own;
  }

  async refuse(path: string): Promise<void> {
    const [real = path, ...own] = await this.#resolved(path);
    if (own.some((each) => isBelow(real, each))) throw refusal(path);
    await refuseProcessFile(path);
    await refuseFile(this, path);
  }

  async refuseTree(path: string): Promise<void> {
    const [real = path, ...own] = await this.#resolved(path);
    if (own.some((each) => isBelow(real, each) || isBelow(each, real))) throw refusal(path);
    await refuseProcessTree(path);
    await refuseFile(this, path);
  }

  async refuseHardLink(path: string, stats: Stats): Promise<void> {
    if (hasOtherNames(stats) && (await this.inodes()).includes(inodeOf(stats))) throw refusal(path);
  }

  async refuseOpened(path: string, handle: FileHandle): Promise<void> {
    await refuseOpenedOfProcess(path, handle);
    const [, ...own] = await this.#resolved(path);
    const place = await openedPlace(path, handle);
    if (own.some((each) => isBelow(place, each))) throw refusal(path);
    await this.refuseHardLink(path, await handle.stat());
  }

  stat(): Promise<Stats | null> {
    return stat(this.#own()[0]).catch(() => null);
  }

  /** Returns the private files that have several names, as `dev:ino`. */
  async inodes(): Promise<string[]> {
    const own = this.#own();
    // A place that is not a folder has no files to list.
    const inside = own.map(async (place) => {
      const names = await readdir(place, { recursive: true }).catch(() => []);
      return names.map((name) => join(place, name));
    });
    const paths = [...own, ...(await Promise.all(inside)).flat()];
    const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
    return found.filter((stats): stats is Stats => stats !== null && hasOtherNames(stats)).map(inodeOf);
  }

  /**
   * Returns the real paths of `path` and of all private places. A path that cannot be resolved is returned
   * unchanged, and the method itself reports the reason.
   */
  #resolved(path: string): Promise<string[]> {
    return Promise.all([path, ...this.#own()].map((each) => realOf(each).catch(() => each)));
  }
}

/** Throws for a private file. A path that cannot be examined is left to the method, which reports the reason. */
async function refuseFile(privacy: Privacy, path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found) await privacy.refuseHardLink(path, found);
}

const hasOtherNames = (stats: Stats): boolean => stats.isFile() && stats.nlink > 1;

const inodeOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

const refusal = (path: string): Error =>
  Object.assign(
    new Error(`EACCES: ${path} leads to the gateway's own state, which file requests cannot access`),
    {
      code: 'EACCES',
    },
  );
