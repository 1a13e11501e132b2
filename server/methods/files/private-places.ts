// Protects the gateway's state, token and key from file methods, by their paths and by other names of their
// files.
import type { Stats } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';
import { isBelow, realOf } from '../../host/real-path.ts';
import { isAmong, LinkSearch, type LinkedFiles } from './linked-files.ts';
import { openedPlace } from './opened-place.ts';
import { refuseOpenedOfProcess, refuseProcessFile, refuseProcessTree } from './process-files.ts';

/** Checks of a path against the private places. */
export interface Privacy {
  /**
   * Throws when the path leads into the private folder, to a private file (even by a hard link), or to a file of
   * a process, memory or a disk.
   */
  refuse(path: string): Promise<void>;
  /** Throws like `refuse`, and also when the path contains a private place, or is in the process file system. */
  refuseTree(path: string): Promise<void>;
  /** Throws when the file with these stats is a private one under another name. */
  refuseHardLink(path: string, stats: Stats): Promise<void>;
  /**
   * Throws when a file that was opened by this path is private or belongs to a process, because a link may have
   * been replaced since the check.
   */
  refuseOpened(path: string, handle: FileHandle): Promise<void>;
  /** Stats of the private folder; null when there is none, and in a helper. */
  stat(): Promise<Stats | null>;
}

/** Thrown for a file that may have been linked after the last search for private files with several names. */
export class UnknownLink extends Error {}

/**
 * Checks for a helper, in which the private places are hidden, so that only hard links can lead to their
 * files. They throw UnknownLink for a file that may have been linked since `links` were listed.
 */
export class PrivateInodes implements Privacy {
  links: LinkedFiles = { inodes: [], untilMs: null };

  async refuse(path: string): Promise<void> {
    await refuseProcessFile(path);
    await refuseFile(this, path);
  }

  async refuseTree(path: string): Promise<void> {
    await refuseProcessTree(path);
    await this.refuse(path);
  }

  refuseHardLink(path: string, stats: Stats): Promise<void> {
    const isPrivate = isAmong(this.links, stats);
    if (isPrivate === null) throw new UnknownLink(`${path} has a new name`);
    if (isPrivate) throw refusal(path);
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
  readonly links: LinkSearch;

  constructor(own: () => OwnPlaces, links = new LinkSearch(own)) {
    this.#own = own;
    this.links = links;
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
    if (isAmong(this.links.known, stats) ?? isAmong(await this.links.fresh(), stats)) throw refusal(path);
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

  /**
   * Returns the real paths of `path` and of all private places. A path that cannot be resolved is returned
   * unchanged, and the method itself reports the reason.
   */
  #resolved(path: string): Promise<string[]> {
    return Promise.all([path, ...this.#own()].map((each) => realOf(each).catch(() => each)));
  }
}

/**
 * Throws when a hard link at this path leads to a private file. A path that cannot be examined is left to the method,
 * which reports the reason.
 */
async function refuseFile(privacy: Privacy, path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found) await privacy.refuseHardLink(path, found);
}

const refusal = (path: string): Error =>
  Object.assign(
    new Error(`EACCES: ${path} leads to the gateway's own state, which file requests cannot access`),
    {
      code: 'EACCES',
    },
  );
