// Recognizes private files with several names (hard links) by their inodes. A search for them reads all folders of the
// private places, so it runs outside the gateway, one at a time, and rarely: for a file with several names that may
// have been linked since the last search, and before a copy in a helper.
import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';

export interface LinkedFiles {
  /** Private files with several names, as `dev:ino`. */
  readonly inodes: readonly string[];
  /** Files changed at or after this time may be missing from `inodes`; null when none is missing. */
  readonly untilMs: number | null;
}

/**
 * Returns true for a listed file, false for another, and null for one with several names that may be missing from the
 * list: a new name changes the ctime, too.
 */
export function isAmong({ inodes, untilMs }: LinkedFiles, stats: Stats): boolean | null {
  if (!stats.isFile() || stats.nlink < 2) return false;
  if (untilMs !== null && stats.ctimeMs >= untilMs) return null;
  return inodes.includes(`${stats.dev}:${stats.ino}`);
}

/** Maximum difference between the clocks of the gateway and of a file system. */
const CLOCKS_MS = 10_000;

interface Found {
  readonly inodes: readonly string[];
  readonly beganMs: number;
  /** Private places when the search began, separated by NUL. */
  readonly places: string;
}

export class LinkSearch {
  readonly #places: () => readonly string[];
  readonly #search: typeof searched;
  #found: Found | null = null;
  #next: Promise<LinkedFiles> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(places: () => readonly string[], search = searched) {
    this.#places = places;
    this.#search = search;
  }

  get known(): LinkedFiles {
    const found = this.#found;
    const isValid =
      found !== null && found.beganMs <= Date.now() && found.places === this.#places().join('\0');
    return isValid
      ? { inodes: found.inodes, untilMs: found.beganMs - CLOCKS_MS }
      : { inodes: [], untilMs: 0 };
  }

  /** Resolves with the result of a search that begins after this call. Calls during a search share the next one. */
  fresh(): Promise<LinkedFiles> {
    this.#next ??= this.#last.then(() => this.#searchNow());
    this.#last = this.#next.catch(() => {});
    return this.#next;
  }

  async #searchNow(): Promise<LinkedFiles> {
    this.#next = null;
    const beganMs = Date.now();
    const places = this.#places();
    const inodes = await this.#search(places);
    this.#found = { inodes, beganMs, places: places.join('\0') };
    return { inodes, untilMs: null };
  }
}

/**
 * Shell script that lists files with several names. `$0` is stat's option for an output format; the arguments
 * are the places. The first stat, whose line matches no file, makes the script exit with 127 when stat is
 * missing; find would exit with 1, which is ignored.
 */
const SEARCH = `stat "$0" %d:%i / && find "$@" -type f -links +1 -exec stat "$0" %d:%i {} +`;
const FORMAT = process.platform === 'darwin' ? '-f' : '-c';
/** Exit code of find after an error, usually because a file or place no longer exists. */
const SOME_MISSING = 1;
const RESULT_BYTES = 64 * 1024 * 1024;

export function searched(places: readonly string[]): Promise<string[]> {
  const options = {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    maxBuffer: RESULT_BYTES,
  };
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', SEARCH, FORMAT, ...places], options, (error, stdout) => {
      if (error && error.code !== SOME_MISSING)
        reject(
          new Error(`the gateway's own files with several hard links cannot be listed (${error.message})`),
        );
      else resolve(stdout.split('\n').map(asNodeDoes));
    });
  });
}

/** Returns the device and inode as Node reports them, since Node rounds large inode numbers. */
const asNodeDoes = (inode: string): string => inode.split(':').map(Number).join(':');
