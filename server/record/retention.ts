// Enforces the limits on all recordings: age, size and free disk space. The oldest finished ones are removed first.
import { rm, statfs } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AgeClock } from './age-clock.ts';
import type { Catalog } from './catalog.ts';
import type { RecordLimits } from './limits.ts';
import { folderOf, metaPath, monthOf, shortPath } from './places.ts';
import { readMeta, replaceMeta, type StoredMeta } from './stored-meta.ts';

/** Share of the size limit to which recordings are reduced, so that the catalogue is rewritten less often. */
const ROOM = 0.95;
/** Number of recordings removed between two checks of a disk that is nearly full. */
const REMOVED_AT_ONCE = 20;

export interface RetentionOptions {
  readonly root: string;
  readonly catalog: Catalog;
  readonly limits: RecordLimits;
  readonly isLive: (key: string) => boolean;
  /** Keys of the recordings that `liveBytes` includes, which may already have an entry in the catalogue. */
  readonly liveKeys: () => ReadonlySet<string>;
  readonly liveBytes: () => number;
  /** Called after each check of the disk. */
  readonly changed: () => void;
}

export class Retention {
  readonly #options: RetentionOptions;
  readonly #ageClock = new AgeClock();
  #storedBytes = 0;
  #isDiskLow = false;
  #isClosed = false;
  #removed: (key: string, who: string) => void = () => {};
  #timer: NodeJS.Timeout | null = null;
  /** Earliest time of the next removal while the disk has too little space. */
  #nextRemovalMs = 0;
  /** True once `#storedBytes` includes the recordings of earlier gateways. */
  #isCounted = false;
  #pruning: Promise<void> = Promise.resolve();
  readonly #removing = new Set<string>();
  /** Settles after the last removal or change of sizes; they run one after another. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** True while the disk has too little free space, so that no output is recorded. */
  get isDiskLow(): boolean {
    return this.#isDiskLow;
  }

  /** Bytes of all finished recordings. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  /**
   * Calls the listener with the key of each recording that has been removed, and the name of the person who removed it;
   * `gateway` when a limit did.
   */
  onRemoved(listener: (key: string, who: string) => void): void {
    this.#removed = listener;
  }

  /** Starts the checks; resolves after the first one. */
  begin(): Promise<void> {
    return this.#look();
  }

  added(bytes: number): void {
    this.#storedBytes += bytes;
    if (this.#isOverSize) void this.prune().catch(() => {});
  }

  isRemoving(key: string): boolean {
    return this.#removing.has(key);
  }

  /** Updates the sizes of finished recordings whose files have changed; `sizes` maps their folders to bytes. */
  async resized(sizes: ReadonlyMap<string, number>): Promise<void> {
    const byMonth = new Map<string, Map<string, number>>();
    for (const [folder, bytes] of sizes) {
      const month = basename(dirname(folder));
      byMonth.set(month, (byMonth.get(month) ?? new Map()).set(basename(folder), bytes));
    }
    for (const [month, each] of byMonth) await this.#next(() => this.#resize(month, each));
    if (this.#isOverSize) await this.prune();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Removes recordings beyond the limits on age and size, after the current removal. */
  prune(): Promise<void> {
    const done = this.#pruning.then(() => this.#prune());
    this.#pruning = done.catch(() => {});
    return done;
  }

  async #prune(): Promise<void> {
    const { catalog, limits } = this.#options;
    const oldestMs = this.#ageClock.now() - limits.recordAgeMs;
    const room = limits.recordBytes * (this.#isOverSize ? ROOM : 1) - this.#options.liveBytes();
    const live = this.#options.liveKeys();
    let [remaining, all, isFull] = [0, 0, false];
    const gone = new Map<string, Set<string>>();
    for await (const [month, outlines] of catalog.outlines()) {
      for (const { key, endedAtMs, recordedBytes } of outlines) {
        // The bytes of live recordings are already subtracted from the room.
        if (live.has(key)) continue;
        all += recordedBytes;
        // All recordings older than the first that does not fit are removed, however small.
        isFull ||= remaining + recordedBytes > room;
        if (!isFull && (endedAtMs ?? 0) >= oldestMs) remaining += recordedBytes;
        else gone.set(month, (gone.get(month) ?? new Set()).add(key));
      }
    }
    for (const [month, keys] of gone) await this.#remove(month, keys);
    this.#storedBytes = this.#isCounted ? this.#storedBytes - (all - remaining) : remaining;
    this.#isCounted = true;
  }

  /**
   * Removes recordings permanently: output, marks and catalogue entries. `keys` maps their keys to their start
   * times, `bytes` is their total size, and `who` the name of the person who removes them.
   */
  async remove(keys: ReadonlyMap<string, number>, bytes: number, who?: string): Promise<void> {
    const byMonth = new Map<string, Set<string>>();
    for (const [key, startedAtMs] of keys) {
      const month = monthOf(startedAtMs);
      byMonth.set(month, (byMonth.get(month) ?? new Set()).add(key));
    }
    for (const [month, each] of byMonth) await this.#remove(month, each, who);
    this.#storedBytes = Math.max(0, this.#storedBytes - bytes);
  }

  get #isOverSize(): boolean {
    return this.#storedBytes + this.#options.liveBytes() > this.#options.limits.recordBytes;
  }

  #remove(month: string, keys: ReadonlySet<string>, who = 'gateway'): Promise<void> {
    const { root, catalog, isLive } = this.#options;
    for (const key of keys) this.#removing.add(key);
    return this.#next(async () => {
      try {
        // A recording that is still being finished stays in the catalogue until a later removal.
        const finished = new Set([...keys].filter((key) => !isLive(key)));
        for (const key of finished) {
          const folder = folderOf(root, month, key);
          // The facts are removed first: a recording without them stays removed when the gateway is killed here.
          for (const path of [metaPath(folder), folder, shortPath(folder)])
            await rm(path, { recursive: true, force: true });
        }
        for (const key of finished) this.#removed(key, who);
        await catalog.remove(month, finished);
      } finally {
        for (const key of keys) this.#removing.delete(key);
      }
    });
  }

  async #resize(month: string, sizes: ReadonlyMap<string, number>): Promise<void> {
    const { root, catalog, isLive } = this.#options;
    for (const [key, recordedBytes] of sizes) {
      const folder = folderOf(root, month, key);
      const meta = isLive(key) || this.isRemoving(key) ? null : await readMeta(folder);
      if (meta) await replaceMeta(folder, JSON.stringify({ ...meta, recordedBytes }));
    }
    this.#storedBytes += await catalog.resize(month, sizes);
  }

  #next<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(change);
    this.#changing = done.catch(() => undefined);
    return done;
  }

  async #look(): Promise<void> {
    const { recordLookMs, recordLowLookMs } = this.#options.limits;
    try {
      if (!this.#isDiskLow || performance.now() >= this.#nextRemovalMs) {
        this.#nextRemovalMs = performance.now() + recordLookMs;
        await this.prune();
        if (await this.#diskIsLow()) await this.#freeSome();
      }
      this.#isDiskLow = await this.#diskIsLow();
    } catch {
      // The next write reports a folder that cannot be read.
    }
    if (this.#isClosed) return;
    this.#options.changed();
    const pauseMs = this.#isDiskLow ? Math.min(recordLowLookMs, recordLookMs) : recordLookMs;
    this.#timer = setTimeout(() => void this.#look(), pauseMs);
    this.#timer.unref();
  }

  /** Removes the oldest recordings until the disk has room again, or none is left. */
  async #freeSome(): Promise<void> {
    const { catalog } = this.#options;
    for (const month of await catalog.months()) {
      const entries: StoredMeta[] = [];
      for await (const { meta } of catalog.ofMonth(month)) entries.push(meta);
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
