// One connection's wait for files to appear that were not there when it looked, or for one to change that was.
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface MissingWatchLimits {
  readonly watchedPaths: number;
  /** Characters of all paths together. */
  readonly watchedChars: number;
  readonly watchMs: number;
}

export interface Watched {
  readonly missing: readonly string[];
  readonly present: string | null;
}

/**
 * One watch at a time: the next replaces the one before, even when its condition turns out to be met already. It
 * notifies once, and already when something on the way to a missing file comes or goes. It polls: any file system can
 * be polled, and not every one notifies.
 */
export class MissingWatch {
  readonly #limits: MissingWatchLimits;
  #newestId = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Stops the look that is under way from going on. */
  #turn = 0;

  constructor(limits: MissingWatchLimits) {
    this.#limits = limits;
  }

  /** False when there is nothing to wait for: it is already otherwise, or too much; or a newer wait is known. */
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
      const isSame = (await look(watched)) === seen;
      if (turn !== this.#turn) return;
      if (isSame) this.#wait(watched, seen, changed);
      else changed();
    };
    this.#timer = setTimeout(() => void again(), this.#limits.watchMs);
  }
}

/** Returns a summary in which every watched change shows; null when the paths are not as expected. */
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

/** Changes within a folder are not watched. */
const stateOf = (found: Stats): string =>
  found.isDirectory() ? identity(found) : `${identity(found)} ${found.size} ${found.ctimeMs}`;

/** Returns the deepest existing folder on the way to a path. */
async function nearestFolder(path: string): Promise<string> {
  const folder = dirname(path);
  const found = await lstatOrNull(folder);
  return found || folder === path ? `${folder} ${found ? identity(found) : ''}` : nearestFolder(folder);
}

/** A link that leads nowhere is there. */
const lstatOrNull = (path: string): Promise<Stats | null> => lstat(path).catch(() => null);

const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
