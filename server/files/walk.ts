// What lies below a folder, level by level, within limits.
import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { uriFromPath } from '../process/file-uri.ts';
import type { WalkedEntry, WalkError, WalkOptions, WalkResult } from '../protocol/files.ts';
import { invalidRequest } from '../rpc/rpc-error.ts';

interface Folder {
  readonly path: string;
  readonly depth: number;
}

/** By name within a folder. Links count towards the entries, and are shown only when they are followed. */
export async function walk(root: string, options: WalkOptions): Promise<WalkResult> {
  if (options.maxEntries === 0 || options.maxDirectories === 0) {
    throw invalidRequest('params.options: maxEntries and maxDirectories must be greater than 0');
  }
  const entries: WalkedEntry[] = [];
  const errors: WalkError[] = [];
  const top = await stat(root);
  const entered = new Set([identity(top)]);
  const folders: Folder[] = top.isDirectory() ? [{ path: root, depth: 0 }] : [];
  let count = 0;
  let listed = 0;
  for (const { path: folder, depth } of folders) {
    listed += 1;
    if (listed > options.maxDirectories) return { entries, errors, truncated: true };
    for (const name of await namesIn(folder, errors)) {
      count += 1;
      if (count > options.maxEntries) return { entries, errors, truncated: true };
      const path = join(folder, name);
      const found = await look(path, options.followDirectorySymlinks);
      if (!found) continue;
      const kind = found.isDirectory() ? 'directory' : 'file';
      entries.push({ path: uriFromPath(path), kind });
      const isHidden = options.pruneHiddenDirectories === true && name.startsWith('.');
      if (kind === 'file' || isHidden || depth >= options.maxDepth || entered.has(identity(found))) continue;
      entered.add(identity(found));
      folders.push({ path, depth: depth + 1 });
    }
  }
  return { entries, errors, truncated: false };
}

/** What cannot be listed is said, and the rest goes on. */
async function namesIn(folder: string, errors: WalkError[]): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    errors.push({ path: uriFromPath(folder), message: (error as Error).message });
    return [];
  }
}

/** Null for what is not shown: neither file nor folder, gone meanwhile, a link that is not followed or to no folder. */
async function look(path: string, followsLinks: boolean): Promise<Stats | null> {
  const own = await lstat(path).catch(() => null);
  if (!own?.isSymbolicLink()) return own?.isDirectory() || own?.isFile() ? own : null;
  if (!followsLinks) return null;
  const target = await stat(path).catch(() => null);
  return target?.isDirectory() ? target : null;
}

const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
