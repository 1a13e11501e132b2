// One connection's wait for files to appear that were not there when it looked, or for one to go that was.
import { lstat } from 'node:fs/promises';

export interface MissingWatchLimits {
  readonly watchedPaths: number;
  readonly watchMs: number;
}

export interface Watched {
  readonly missing: readonly string[];
  readonly present: string | null;
}

/** One at a time: the next takes the place of the one before. Told once. Any file system can be asked, none must tell. */
export class MissingWatch {
  readonly #limits: MissingWatchLimits;
  #watched: (Watched & { readonly changed: () => void }) | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: MissingWatchLimits) {
    this.#limits = limits;
  }

  /** False when there is nothing to wait for: it is already otherwise, or too much. */
  async watch(watched: Watched, changed: () => void): Promise<boolean> {
    const { missing } = watched;
    if (missing.length === 0 || missing.length > this.#limits.watchedPaths || !(await isAsSaid(watched)))
      return false;
    this.stop();
    this.#watched = { ...watched, changed };
    this.#wait();
    return true;
  }

  stop(): void {
    this.#watched = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#limits.watchMs);
  }

  async #look(): Promise<void> {
    const watched = this.#watched;
    if (!watched) return;
    const isSame = await isAsSaid(watched);
    if (this.#watched !== watched) return;
    if (isSame) {
      this.#wait();
      return;
    }
    this.stop();
    watched.changed();
  }
}

async function isAsSaid({ missing, present }: Watched): Promise<boolean> {
  if (present !== null && !(await exists(present))) return false;
  for (const path of missing) if (await exists(path)) return false;
  return true;
}

/** A link that leads nowhere is there. */
const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
