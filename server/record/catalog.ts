// Catalogue of recordings: each month's folder has a file with one line per finished process, roughly in the order in
// which they ended.
import { constants } from 'node:fs';
import { readdir, rename, type FileHandle } from 'node:fs/promises';
import {
  appendLinesAsync,
  nullWhenMissing,
  openRegularAsync,
  writeRegularAsync,
} from '../host/regular-file.ts';
import { bytesOf, mergeEntries } from './catalog-merge.ts';
import { outlineOf, type Outline } from './catalog-outline.ts';
import { catalogPath, MONTH, monthOf } from './places.ts';
import { resizedInPlace, resizedLine, type SizeChange } from './catalog-sizes.ts';
import { decodeMeta, type StoredMeta } from './stored-meta.ts';

/** Bytes read at once, backwards from the end. */
const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** A catalogue entry, and the place where reading continues. */
export interface CatalogEntry {
  readonly meta: StoredMeta;
  readonly place: CatalogPlace;
}

export interface CatalogPlace {
  readonly month: string;
  readonly offset: number;
  /** Key of the line at this offset, by which the line is found when others have been removed. */
  readonly key?: string;
}

interface Line {
  readonly line: Buffer;
  readonly offset: number;
}

/** Maximum time by which any number of lines may be out of order, for example after the clock was set. */
const OUT_OF_ORDER_MS = 60 * 60_000;
/**
 * Maximum number of successive lines that were added long after the end of their processes. A start after a crash adds
 * such lines for processes that had printed nothing for long; up to 1000 are added when a full disk has space again.
 */
const MOST_LATE = 1000;
/** Maximum bytes that are read to find the key of one line. */
const LINE_BYTES = 64 * 1024;
/** Length that no entry reaches; a longer line is damaged, and reading all of it would take quadratic time. */
const DAMAGE_BYTES = 1024 * 1024;

export class Catalog {
  readonly #root: string;
  /** Lines of one month that the next write will append. */
  #waiting: { readonly month: string; lines: string; written: Promise<void> } | null = null;
  /** Settles after the last change of the files; changes run one after another. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(root: string) {
    this.#root = root;
  }

  /** Appends an entry; entries that arrive while a write is in progress are written together. */
  add(startedAtMs: number, text: string): Promise<void> {
    const month = monthOf(startedAtMs);
    const before = this.#waiting?.month === month ? this.#waiting : null;
    if (before) {
      before.lines += `${text}\n`;
      return before.written;
    }
    const waiting = { month, lines: `${text}\n`, written: Promise.resolve() };
    this.#waiting = waiting;
    waiting.written = this.#next(() => {
      if (this.#waiting === waiting) this.#waiting = null;
      return appendLinesAsync(catalogPath(this.#root, month), waiting.lines);
    });
    return waiting.written;
  }

  remove(month: string, keys: ReadonlySet<string>): Promise<void> {
    return this.#next(() =>
      this.#rewrite(month, (line) => (keys.has(decodeMeta(line)?.info.key ?? '') ? null : line)),
    );
  }

  /** Adds entries of processes that ended before others in the file; resolves with the growth of all sizes, in bytes. */
  insert(month: string, entries: readonly StoredMeta[]): Promise<number> {
    return this.#next(() => mergeEntries(catalogPath(this.#root, month), entries));
  }

  /** Replaces the sizes in the entries of these keys; resolves with the total growth in bytes. */
  resize(month: string, sizes: ReadonlyMap<string, number>): Promise<number> {
    return this.#next(async () => {
      const left = new Map(sizes);
      let grown = 0;
      const changes: SizeChange[] = [];
      for await (const { meta, place } of this.#linesOf(month, null)) {
        const bytes = left.get(meta.info.key);
        if (bytes === undefined) continue;
        left.delete(meta.info.key);
        grown += bytes - meta.recordedBytes;
        changes.push({ offset: place.offset, from: meta.recordedBytes, to: bytes });
        if (left.size === 0) break;
      }
      if (!(await resizedInPlace(catalogPath(this.#root, month), changes)))
        await this.#rewrite(month, (line) => resizedLine(line, sizes));
      return grown;
    });
  }

  /**
   * Yields the entries before the place `from`, or all for null, without damaged lines: the newest month first, and in
   * each month the newest line first. Memory use does not grow with the catalogue. Entries of processes that ended
   * more than OUT_OF_ORDER_MS before `sinceMs` are omitted.
   */
  async *newestFirst(
    from: CatalogPlace | null = null,
    sinceMs = Number.NEGATIVE_INFINITY,
  ): AsyncGenerator<CatalogEntry> {
    for (const month of (await this.months()).toReversed()) {
      if (from && month > from.month) continue;
      let older = 0;
      for await (const entry of this.#linesOf(
        month,
        from?.month === month ? await this.#found(from) : null,
      )) {
        if ((entry.meta.endedAtMs ?? 0) >= sinceMs - OUT_OF_ORDER_MS) {
          older = 0;
          yield entry;
        } else {
          // Only the rest of this month is omitted: months are those of the starts, so an earlier one may have
          // processes that ended later.
          older += 1;
          if (older > MOST_LATE) break;
        }
      }
    }
  }

  /** Yields the outlines of all entries with their month, block by block, the newest first. */
  async *outlines(): AsyncGenerator<readonly [month: string, readonly Outline[]]> {
    for (const month of (await this.months()).toReversed()) {
      for await (const lines of this.#blocksOf(month, null))
        yield [month, lines.flatMap(({ line }) => outlineOf(line) ?? [])];
    }
  }

  /** Yields the entries of processes that ended at this time or later. */
  async *endedSince(sinceMs: number): AsyncGenerator<CatalogEntry> {
    for await (const entry of this.newestFirst(null, sinceMs))
      if ((entry.meta.endedAtMs ?? 0) >= sinceMs) yield entry;
  }

  /** Returns true for a recording with an entry, after all changes so far. */
  async has({ info, endedAtMs }: StoredMeta): Promise<boolean> {
    await this.#changes;
    for await (const { meta } of this.newestFirst(null, endedAtMs ?? 0))
      if (meta.info.key === info.key) return true;
    return false;
  }

  /** Returns the months that have a folder, the oldest first. */
  async months(): Promise<readonly string[]> {
    const names = await readdir(this.#root).catch((): string[] => []);
    return names.filter((name) => MONTH.test(name)).toSorted();
  }

  /** Yields the entries of a month, the newest line first, without damaged lines. */
  ofMonth(month: string): AsyncGenerator<CatalogEntry> {
    return this.#linesOf(month, null);
  }

  async *#linesOf(month: string, before: number | null): AsyncGenerator<CatalogEntry> {
    for await (const lines of this.#blocksOf(month, before)) {
      for (const { line, offset } of lines) {
        const meta = decodeMeta(line.toString());
        if (meta) yield { meta, place: { month, offset } };
      }
    }
  }

  /** Yields the lines of a month before this offset, or all for null, the last one first, block by block. */
  async *#blocksOf(month: string, before: number | null): AsyncGenerator<readonly Line[]> {
    const file = await this.#opened(month);
    if (!file) return;
    try {
      const { size } = await file.stat();
      let end = Math.min(before ?? size, size);
      /** Incomplete line at the start of the block that was read last. */
      let rest = Buffer.alloc(0);
      while (end > 0) {
        const start = Math.max(0, end - BLOCK_BYTES);
        const block = Buffer.alloc(end - start);
        await file.read(block, 0, block.length, start);
        const bytes = Buffer.concat([block, rest]);
        const lines: Line[] = [];
        let first = bytes.length;
        while (first > 0) {
          const newline = first < 2 ? -1 : bytes.lastIndexOf(NEWLINE, first - 2);
          if (newline < 0 && start > 0) break;
          lines.push({ line: bytes.subarray(newline + 1, first), offset: start + newline + 1 });
          first = newline + 1;
        }
        yield lines;
        rest = first > DAMAGE_BYTES ? Buffer.alloc(0) : bytes.subarray(0, first);
        end = start;
      }
    } finally {
      await file.close();
    }
  }

  /** Opens the catalogue of a month; resolves with null when there is none, and rejects when it cannot be opened. */
  #opened(month: string): Promise<FileHandle | null> {
    return openRegularAsync(catalogPath(this.#root, month), constants.O_RDONLY).catch(nullWhenMissing);
  }

  /** Returns the current offset of a line, which removals of earlier lines change; the old one if the line is gone. */
  async #found({ month, offset, key }: CatalogPlace): Promise<number> {
    if (key === undefined || (await this.#keyAt(month, offset)) === key) return offset;
    for await (const { meta, place } of this.#linesOf(month, null))
      if (meta.info.key === key) return place.offset;
    return offset;
  }

  async #keyAt(month: string, offset: number): Promise<string | null> {
    const file = await this.#opened(month);
    if (!file) return null;
    try {
      const bytes = Buffer.alloc(LINE_BYTES);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      const newline = bytes.subarray(0, bytesRead).indexOf(NEWLINE);
      return decodeMeta(bytes.toString('utf8', 0, newline < 0 ? bytesRead : newline))?.info.key ?? null;
    } finally {
      await file.close();
    }
  }

  /** Replaces the file; `change` returns null for a line to remove. */
  async #rewrite(month: string, change: (line: string) => string | null): Promise<void> {
    const path = catalogPath(this.#root, month);
    const lines = (await bytesOf(path))
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    const remaining = lines.flatMap((line) => change(line) ?? []);
    await writeRegularAsync(`${path}.tmp`, remaining.map((line) => `${line}\n`).join(''));
    await rename(`${path}.tmp`, path);
  }

  #next<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#changes.then(change);
    this.#changes = done.catch(() => {});
    return done;
  }
}
