// Finds finished segments without an index.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isProcessKey } from '../../protocol/process-key.ts';
import { folderOf, indexPath, MONTH, openFolder, segmentNumber } from '../record/places.ts';
import type { IndexTask } from './segment-index.ts';

/** Size of the smallest segment that is indexed; a smaller one is read as fast as its index. */
export const LEAST_BYTES = 64 * 1024;

export interface UnindexedTask {
  /** The folder of all recordings. */
  readonly root: string;
  /** Folders of the recordings to check; null for all. */
  readonly folders: readonly string[] | null;
}

export function unindexed({ root, folders }: UnindexedTask): readonly IndexTask[] {
  const open = new Set(namesIn(openFolder(root)));
  return (folders ?? allFolders(root)).flatMap((folder) => missingIn(folder, open.has(basename(folder))));
}

/**
 * Lists the unindexed segments of one recording. The last line of a segment may end in the next one, so both
 * must be finished.
 */
function missingIn(folder: string, isOpen: boolean): readonly IndexTask[] {
  const names = new Set(namesIn(folder));
  const paths = [...names]
    .filter((name) => segmentNumber(name) !== null)
    .toSorted()
    .map((name) => join(folder, name));
  return paths
    .map((path, at) => ({ path, nextPath: paths[at + 1] ?? null, hasPrevious: at > 0 }))
    .slice(0, isOpen ? -2 : undefined)
    .filter(({ path }) => !names.has(basename(indexPath(path))) && bytesOf(path) >= LEAST_BYTES);
}

/** Lists the newest month first. A short recording is a single file and has no index. */
function allFolders(root: string): readonly string[] {
  const months = namesIn(root).filter((name) => MONTH.test(name));
  return months
    .toSorted()
    .toReversed()
    .flatMap((month) =>
      namesIn(join(root, month))
        .filter(isProcessKey)
        .map((key) => folderOf(root, month, key)),
    );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
