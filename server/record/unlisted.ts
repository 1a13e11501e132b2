// Lists recordings that have no entry in the catalogue: the gateway was killed before it added the entry, or the
// catalogue was damaged.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessKey } from '../../protocol/process-key.ts';
import type { Catalog } from './catalog.ts';
import { monthOf, openFolder, shortPath } from './places.ts';
import { recovered } from './recover.ts';
import type { StoredMeta } from './stored-meta.ts';

/** Maximum number of entries in memory; the catalogue of a month is rewritten for each such batch. */
const LISTED_AT_ONCE = 10_000;
const SHORT = shortPath('');

export interface UnlistedOptions {
  readonly root: string;
  readonly catalog: Catalog;
  /** Returns true for a process whose recording goes on, or that may be taken over and recorded further. */
  readonly isLive: (key: string) => boolean;
  /** Called with the growth of all sizes in the catalogue, in bytes. */
  readonly added: (bytes: number) => void;
  readonly isClosed: () => boolean;
}

/** Adds the missing entries, the newest month first; skips recordings and months that cannot be read. */
export async function listUnlisted(options: UnlistedOptions): Promise<void> {
  for (const month of (await options.catalog.months()).toReversed()) {
    if (options.isClosed()) return;
    // The next start tries this month again.
    await listMonth(options, month).catch(() => {});
  }
}

async function listMonth(options: UnlistedOptions, month: string): Promise<void> {
  let batch: StoredMeta[] = [];
  const list = async (): Promise<void> => {
    // A process that this gateway has taken over meanwhile is listed when its recording ends.
    const entries = batch.filter(({ info }) => !options.isLive(info.key));
    batch = [];
    if (entries.length > 0) options.added(await options.catalog.insert(month, entries));
  };
  for (const key of await unlistedKeys(options, month)) {
    if (options.isClosed()) return;
    if (options.isLive(key)) continue;
    // A recording that is damaged, or that the system cannot read, must not hide the others.
    const meta = await recovered(options.root, key, { month, meta: null }).catch(() => null);
    if (meta?.info.key === key && monthOf(meta.info.startedAtMs) === month) batch.push(meta);
    if (batch.length >= LISTED_AT_ONCE) await list();
  }
  await list();
}

/** Returns the keys of a month's recordings that have neither an entry nor a note. */
async function unlistedKeys(
  { root, catalog, isLive }: UnlistedOptions,
  month: string,
): Promise<ReadonlySet<string>> {
  const names = await readdir(join(root, month));
  const keys = new Set(names.map((name) => (name.endsWith(SHORT) ? name.slice(0, -SHORT.length) : name)));
  // Files are listed first, then live recordings, notes and entries: the entry of a recording is added before its note
  // is removed, and its files are removed before its entry.
  for (const key of keys) if (!isProcessKey(key) || isLive(key)) keys.delete(key);
  for (const key of await readdir(openFolder(root))) keys.delete(key);
  if (keys.size === 0) return keys;
  for await (const { meta } of catalog.ofMonth(month)) {
    keys.delete(meta.info.key);
    if (keys.size === 0) break;
  }
  return keys;
}
