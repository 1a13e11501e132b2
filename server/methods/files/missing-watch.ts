// One connection's wait for files to appear that were not there when it looked, or for one to change that was.
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface MissingWatchLimits {
  readonly watchedPaths: number;
  /** Of all paths together. */
  readonly watchedChars: number;
  readonly watchMs: number;
}

export interface Watched {
  readonly missing: readonly string[];
  readonly present: string | null;
}

/**
 * One at a time: the next takes the place of the one before, also when there turns out to be nothing to wait for. Told
 * once, and already when something on the way to a missing file comes or goes. It looks from time to time: any file
 * system can be asked, and not every one tells.
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

/** What can be told apart of all that is watched; null when it is not as said. */
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

/** What happens within a folder is not what is asked about. */
const stateOf = (found: Stats): string =>
  found.isDirectory() ? identity(found) : `${identity(found)} ${found.size} ${found.ctimeMs}`;

/** Of what is on the way to a path, the last that is there. */
async function nearestFolder(path: string): Promise<string> {
  const folder = dirname(path);
  const found = await lstatOrNull(folder);
  return found || folder === path ? `${folder} ${found ? identity(found) : ''}` : nearestFolder(folder);
}

/** A link that leads nowhere is there. */
const lstatOrNull = (path: string): Promise<Stats | null> => lstat(path).catch(() => null);

const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
