// The limits of all recordings together: age, size and free disk. The oldest finished ones go first.
import { rm, statfs } from 'node:fs/promises';
import type { Catalog } from './catalog.ts';
import type { RecordLimits } from './limits.ts';
import { folderOf, monthOf, shortPath } from './places.ts';
import type { StoredMeta } from './stored-meta.ts';

/** Share of a limit to which recordings are removed, so that each removal is worth a new catalogue. */
const ROOM = 0.95;
/** Recordings removed between two looks at a disk that is nearly full. */
const REMOVED_AT_ONCE = 20;

export interface RetentionOptions {
  readonly root: string;
  readonly catalog: Catalog;
  readonly limits: RecordLimits;
  readonly isLive: (key: string) => boolean;
  /** Those whose bytes `liveBytes` has; an entry of one may be in the catalogue already. */
  readonly liveKeys: () => ReadonlySet<string>;
  readonly liveBytes: () => number;
  /** Called after each look at the disk. */
  readonly changed: () => void;
}

export class Retention {
  readonly #options: RetentionOptions;
  #storedBytes = 0;
  #isDiskLow = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;
  /** True when what earlier gateways left is in the sum. */
  #isCounted = false;
  #pruning: Promise<void> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** True while the disk has less than is to stay free: nothing is recorded meanwhile. */
  get isDiskLow(): boolean {
    return this.#isDiskLow;
  }

  /** Bytes of all finished recordings. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  begin(): void {
    void this.#look();
  }

  added(bytes: number): void {
    this.#storedBytes += bytes;
    if (this.#isOverSize) void this.prune().catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Removes what is beyond the limits, after what is under way. */
  prune(): Promise<void> {
    const done = this.#pruning.then(() => this.#prune());
    this.#pruning = done.catch(() => {});
    return done;
  }

  async #prune(): Promise<void> {
    const { catalog, limits } = this.#options;
    const oldestMs = Date.now() - limits.recordAgeMs;
    const room = limits.recordBytes * (this.#isOverSize ? ROOM : 1) - this.#options.liveBytes();
    const live = this.#options.liveKeys();
    let [kept, all, isFull] = [0, 0, false];
    const gone = new Map<string, Set<string>>();
    for await (const { meta, place } of catalog.newestFirst()) {
      // The room is already less by those that were being written.
      if (live.has(meta.info.key)) continue;
      all += meta.recordedBytes;
      // Everything older than the first one without room goes, however small it is.
      isFull ||= kept + meta.recordedBytes > room;
      if (!isFull && (meta.endedAtMs ?? 0) >= oldestMs) kept += meta.recordedBytes;
      else gone.set(place.month, (gone.get(place.month) ?? new Set()).add(meta.info.key));
    }
    for (const [month, keys] of gone) await this.#remove(month, keys);
    this.#storedBytes = this.#isCounted ? this.#storedBytes - (all - kept) : kept;
    this.#isCounted = true;
  }

  /**
   * Removes these for good: output, marks and their entries in the catalogue. `keys`: with the times of their starts; `bytes`:
   * those of all of them.
   */
  async remove(keys: ReadonlyMap<string, number>, bytes: number): Promise<void> {
    const byMonth = new Map<string, Set<string>>();
    for (const [key, startedAtMs] of keys) {
      const month = monthOf(startedAtMs);
      byMonth.set(month, (byMonth.get(month) ?? new Set()).add(key));
    }
    for (const [month, each] of byMonth) await this.#remove(month, each);
    this.#storedBytes = Math.max(0, this.#storedBytes - bytes);
  }

  get #isOverSize(): boolean {
    return this.#storedBytes + this.#options.liveBytes() > this.#options.limits.recordBytes;
  }

  async #remove(month: string, keys: ReadonlySet<string>): Promise<void> {
    const { root, catalog, isLive } = this.#options;
    for (const key of keys) {
      if (isLive(key)) continue;
      const folder = folderOf(root, month, key);
      for (const path of [folder, shortPath(folder)]) await rm(path, { recursive: true, force: true });
    }
    await catalog.remove(month, keys);
  }

  async #look(): Promise<void> {
    try {
      await this.prune();
      if (await this.#diskIsLow()) await this.#freeSome();
      this.#isDiskLow = await this.#diskIsLow();
    } catch {
      // A folder that cannot be read is reported by the next write.
    }
    if (this.#isClosed) return;
    this.#options.changed();
    this.#timer = setTimeout(() => void this.#look(), this.#options.limits.recordLookMs);
    this.#timer.unref();
  }

  /** Removes the oldest recordings until the disk has room again, or none is left. */
  async #freeSome(): Promise<void> {
    const { catalog } = this.#options;
    for (const month of await catalog.months()) {
      const entries: StoredMeta[] = [];
      for await (const { meta, place } of catalog.newestFirst({ month, offset: Number.MAX_SAFE_INTEGER })) {
        if (place.month !== month) break;
        entries.push(meta);
      }
      for (entries.reverse(); entries.length > 0;) {
        if (!(await this.#diskIsLow())) return;
        const removed = entries.splice(0, REMOVED_AT_ONCE);
        await this.remove(
          new Map(removed.map(({ info }) => [info.key, info.startedAtMs])),
          removed.reduce((sum, { recordedBytes }) => sum + recordedBytes, 0),
        );
      }
    }
  }

  async #diskIsLow(): Promise<boolean> {
    const { root, limits } = this.#options;
    const { bavail, blocks, bsize } = await statfs(root);
    return bavail * bsize < Math.min(limits.recordFreeBytes, blocks * bsize * limits.recordFreeShare);
  }
}
