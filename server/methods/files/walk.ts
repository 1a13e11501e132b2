// Walks the tree below a folder level by level, within limits.
import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { uriFromPath } from '../../host/file-uri.ts';
import type { WalkedEntry, WalkError, WalkOptions, WalkResult } from '../../../protocol/files.ts';
import { invalidRequest } from '../../rpc/rpc-error.ts';

export interface WalkLimits {
  readonly walkDepth: number;
  readonly walkDirectories: number;
  readonly walkEntries: number;
  readonly listingChars: number;
}

interface Folder {
  readonly path: string;
  readonly depth: number;
}

interface WalkChecks {
  readonly limits: WalkLimits;
  readonly closed: Stats | null;
  /** Resolves to false for a link to a tree that does not answer. */
  readonly doesAnswer: (path: string, isTree: boolean) => Promise<boolean>;
}

/**
 * Returns the entries, sorted by name in bytes within each folder. Dangling links, and links to a file system that does
 * not answer, are skipped. All other entries count towards the limit, including names that are not UTF-8, which are
 * reported as errors, and links, which are returned only when they are followed and lead to a folder. The folder
 * `closed` is not entered.
 */
export async function walk(
  root: string,
  options: WalkOptions,
  { limits, closed, doesAnswer }: WalkChecks,
): Promise<WalkResult> {
  checkOptions(options, limits);
  const entries: WalkedEntry[] = [];
  const errors: WalkError[] = [];
  const top = await stat(root);
  const entered = new Set([identity(top), ...(closed ? [identity(closed)] : [])]);
  const folders: Folder[] = top.isDirectory() ? [{ path: root, depth: 0 }] : [];
  let count = 0;
  let chars = 0;
  let listed = 0;
  /** Adds an error, after which the walk continues; returns false when the reply has no room for it. */
  const report = (folder: string, message: string): boolean => {
    const path = uriFromPath(folder);
    chars += path.length + message.length;
    if (chars > limits.listingChars) return false;
    errors.push({ path, message });
    return true;
  };
  for (const { path: folder, depth } of folders) {
    listed += 1;
    if (listed > options.maxDirectories) return { entries, errors, truncated: true };
    const names = await readdir(folder, { encoding: 'buffer' }).catch((error: Error) => error);
    if (names instanceof Error) {
      if (!report(folder, names.message)) return { entries, errors, truncated: true };
      continue;
    }
    for (const bytes of names.toSorted((one, other) => Buffer.compare(one, other))) {
      const name = String(bytes);
      if (!isUtf8(bytes)) {
        count += 1;
        if (count <= options.maxEntries && report(folder, `${name}: this name is not UTF-8`)) continue;
        return { entries, errors, truncated: true };
      }
      const path = join(folder, name);
      const found = await look(path, doesAnswer);
      if (!found) continue;
      count += 1;
      if (count > options.maxEntries) return { entries, errors, truncated: true };
      const kind = kindOf(found, options.followDirectorySymlinks);
      if (!kind) continue;
      const uri = uriFromPath(path);
      chars += uri.length;
      if (chars > limits.listingChars) return { entries, errors, truncated: true };
      entries.push({ path: uri, kind });
      const isHidden = options.pruneHiddenDirectories === true && name.startsWith('.');
      const id = identity(found.target);
      if (kind === 'file' || isHidden || depth >= options.maxDepth || entered.has(id)) continue;
      entered.add(id);
      folders.push({ path, depth: depth + 1 });
    }
  }
  return { entries, errors, truncated: false };
}

function checkOptions({ maxDepth, maxDirectories, maxEntries }: WalkOptions, limits: WalkLimits): void {
  if (maxEntries === 0 || maxDirectories === 0) {
    throw invalidRequest('params.options: maxEntries and maxDirectories must be greater than 0');
  }
  const { walkDepth, walkDirectories, walkEntries } = limits;
  if (maxDepth <= walkDepth && maxDirectories <= walkDirectories && maxEntries <= walkEntries) return;
  throw invalidRequest(
    `params.options: the limits are maxDepth ${walkDepth}, maxDirectories ${walkDirectories}, maxEntries ${walkEntries}`,
  );
}

interface Found {
  readonly isLink: boolean;
  readonly target: Stats;
}

/** Returns the entry; null when it was removed, and for a link that is skipped. */
async function look(path: string, doesAnswer: WalkChecks['doesAnswer']): Promise<Found | null> {
  const own = await lstat(path).catch(() => null);
  const isLink = own?.isSymbolicLink() === true;
  if (isLink && !(await doesAnswer(path, true))) return null;
  const target = isLink ? await stat(path).catch(() => null) : own;
  return target && { isLink, target };
}

/** Returns the kind of an entry; null for one that is not shown. */
function kindOf({ isLink, target }: Found, followsLinks: boolean): WalkedEntry['kind'] | null {
  if (target.isDirectory()) return isLink && !followsLinks ? null : 'directory';
  return target.isFile() && !isLink ? 'file' : null;
}

const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
