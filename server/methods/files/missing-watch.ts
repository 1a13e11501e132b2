// Watches missing files, and optionally a present one, until one of them appears, or the present one changes or
// disappears.
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface MissingWatchLimits {
  readonly watchedPaths: number;
  /** Maximum number of characters in all watched paths together. */
  readonly watchedChars: number;
  readonly watchMs: number;
}

export interface Watched {
  readonly missing: readonly string[];
  readonly present: string | null;
}

/**
 * One watch per connection; a request with a higher id ends it, even one that starts no watch itself. A watch notifies
 * once, also when a folder above a missing file appears or disappears. It polls, because not every file system supports
 * notifications.
 */
export class MissingWatch {
  readonly #limits: MissingWatchLimits;
  readonly #answers: (paths: readonly string[]) => Promise<void> | null;
  #newestId = -1;
  #timer: NodeJS.Timeout | null = null;
  /** Number of the current watch; a running check of an earlier one is ignored. */
  #turn = 0;

  /**
   * `answers`: resolves when the paths have answered, and rejects when one does not; null when none may hang.
   */
  constructor(limits: MissingWatchLimits, answers: (paths: readonly string[]) => Promise<void> | null) {
    this.#limits = limits;
    this.#answers = answers;
  }

  /**
   * Starts a watch; returns false when nothing is watched: a missing path exists already, the present one does not,
   * no missing path is named, the paths are too many or too long, or a newer watch exists.
   */
  async watch(id: number, watched: Watched, changed: () => void): Promise<boolean> {
    if (id <= this.#newestId) return false;
    this.#newestId = id;
    this.stop();
    const turn = this.#turn;
    const { missing } = watched;
    if (missing.length === 0 || missing.length > this.#limits.watchedPaths) return false;
    const chars = missing.reduce((sum, { length }) => sum + length, watched.present?.length ?? 0);
    if (chars > this.#limits.watchedChars) return false;
    const seen = await look(watched);
    if (seen === null || turn !== this.#turn) return false;
    this.#wait(watched, seen, changed);
    return true;
  }

  stop(): void {
    this.#turn += 1;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #wait(watched: Watched, seen: string, changed: () => void): void {
    const turn = this.#turn;
    const again = async (): Promise<void> => {
      const isSame = !(await this.#doAnswer(watched)) || (await look(watched)) === seen;
      if (turn !== this.#turn) return;
      if (isSame) this.#wait(watched, seen, changed);
      else changed();
    };
    this.#timer = setTimeout(() => void again(), this.#limits.watchMs);
  }

  async #doAnswer(watched: Watched): Promise<boolean> {
    try {
      await this.#answers(pathsOf(watched));
      return true;
    } catch {
      // The next check tries again.
      return false;
    }
  }
}

export const pathsOf = ({ missing, present }: Watched): string[] =>
  present === null ? [...missing] : [...missing, present];

/** Returns a summary that differs after every watched change; null when a path is not in the expected state. */
async function look({ missing, present }: Watched): Promise<string | null> {
  const found = present === null ? null : await lstatOrNull(present);
  if (present !== null && found === null) return null;
  const parts = [found ? stateOf(found) : ''];
  for (const path of missing) {
    if (await lstatOrNull(path)) return null;
    parts.push(await nearestFolder(path));
  }
  return parts.join('\n');
}

/** Summary of a file; changes within a folder are not watched. */
const stateOf = (found: Stats): string =>
  found.isDirectory() ? identity(found) : `${identity(found)} ${found.size} ${found.ctimeMs}`;

/** Returns the deepest existing folder above a path, with its identity. */
async function nearestFolder(path: string): Promise<string> {
  const folder = dirname(path);
  const found = await lstatOrNull(folder);
  return found || folder === path ? `${folder} ${found ? identity(found) : ''}` : nearestFolder(folder);
}

/** Returns the stats of a path, even of a dangling link; null when nothing can be found there. */
const lstatOrNull = (path: string): Promise<Stats | null> => lstat(path).catch(() => null);

const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
