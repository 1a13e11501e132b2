// Recordings of earlier gateways: unfinished ones are finished at the start, and those without an entry in the
// catalogue are listed in the background.
import { mkdir } from 'node:fs/promises';
import type { Catalog } from './catalog.ts';
import { openFolder } from './places.ts';
import type { RecorderOptions } from './recorder-options.ts';
import { recoverUnfinished } from './recover.ts';
import type { Replacing } from './replacing.ts';
import type { Retention } from './retention.ts';
import { listUnlisted } from './unlisted.ts';

export interface EarlierOptions extends Pick<RecorderOptions, 'root' | 'isRunning' | 'isHeld'> {
  readonly catalog: Catalog;
  readonly replacing: Replacing;
  readonly retention: Retention;
  readonly isLive: (key: string) => boolean;
  /** Called with the reason why unfinished recordings could not be finished. */
  readonly failed: (error: unknown) => void;
}

export class EarlierRecordings {
  /** Resolves when the unfinished recordings are in the catalogue, or their recovery failed. */
  readonly ready: Promise<void>;
  readonly #options: EarlierOptions;
  #listed = Promise.resolve();
  #isClosed = false;

  constructor(options: EarlierOptions) {
    this.#options = options;
    this.ready = this.#prepare();
  }

  /** Resolves when every recording that can be read has an entry, or the listing was stopped. */
  async listed(): Promise<void> {
    await this.ready;
    await this.#listed;
  }

  /** Stops the listing, which the next start repeats; resolves when nothing more is written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.listed();
  }

  async #prepare(): Promise<void> {
    const { root, catalog, replacing, retention, failed } = this.#options;
    try {
      await mkdir(openFolder(root), { recursive: true, mode: 0o700 });
      replacing.prepare();
      await recoverUnfinished(root, catalog, this.#options);
      const added = (bytes: number): void => retention.added(bytes);
      const isClosed = (): boolean => this.#isClosed;
      const isLive = (key: string): boolean => this.#options.isLive(key) || this.#options.isHeld(key);
      // The first check counts all entries of the catalogue, so the others are added after it.
      this.#listed = retention
        .begin()
        .then(() => listUnlisted({ root, catalog, isLive, added, isClosed }))
        .catch(() => {});
    } catch (error) {
      failed(error);
    }
  }
}
