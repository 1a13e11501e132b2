// Finds finished segments that still need an index, or that are not sealed yet.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isProcessKey } from '../../protocol/process-key.ts';
import { readRegular } from '../host/regular-file.ts';
import { folderOf, indexPath, metaPath, MONTH, openFolder, segmentNumber } from '../record/places.ts';
import { formOf } from '../record/segment-content.ts';
import { storedBytesOf } from '../record/segment-files.ts';
import { decodeMeta } from '../record/stored-meta.ts';
import { isIndexed, type IndexTask } from './segment-index.ts';
import { segmentAround } from './segment-text.ts';

/** Size of the smallest segment that is indexed or sealed; a smaller one is read as fast as its index. */
export const LEAST_BYTES = 64 * 1024;

export interface FoldersTask {
  /** The folder of all recordings. */
  readonly root: string;
  /** Folders of the recordings to check. */
  readonly folders: readonly string[];
}

export interface SegmentWork extends Omit<IndexTask, 'to'> {
  readonly folder: string;
  readonly needsIndex: boolean;
  readonly needsSeal: boolean;
}

export function unfinished({ root, folders }: FoldersTask): readonly SegmentWork[] {
  const open = new Set(namesIn(openFolder(root)));
  return folders.flatMap((folder) => workIn(folder, open.has(basename(folder))));
}

/**
 * Returns the work on one recording. The last line of a segment may end in the next one, so a segment is indexed only
 * when both are finished.
 */
function workIn(folder: string, isOpen: boolean): readonly SegmentWork[] {
  const names = new Set(namesIn(folder));
  const paths = segmentsIn(folder, names);
  const [indexable, sealable] = isOpen ? [paths.length - 2, paths.length - 1] : [paths.length, paths.length];
  return paths.slice(0, sealable).flatMap((path, at) => {
    const { isSealed, plainBytes } = formOf(path);
    const needsIndex = at < indexable && !(names.has(basename(indexPath(path))) && isIndexed(path));
    if (plainBytes < LEAST_BYTES || (isSealed && !needsIndex)) return [];
    return { folder, ...segmentAround(paths, at), needsIndex, needsSeal: !isSealed };
  });
}

/** Returns the bytes on disk, by folder, of finished recordings whose metadata has another size. */
export function changedSizes({ root, folders }: FoldersTask): ReadonlyMap<string, number> {
  const open = new Set(namesIn(openFolder(root)));
  const sizes = new Map<string, number>();
  for (const folder of folders) {
    const meta = open.has(basename(folder)) ? null : decodeMeta(textOf(metaPath(folder)));
    if (!meta) continue;
    const paths = segmentsIn(folder, new Set(namesIn(folder)));
    const bytes = paths.reduce((sum, path) => sum + storedBytesOf(path), 0);
    if (bytes !== meta.recordedBytes) sizes.set(folder, bytes);
  }
  return sizes;
}

/**
 * Lists the folders of all recordings, the newest month first, without short recordings, which are single files and
 * have no index.
 */
export function allFolders(root: string): readonly string[] {
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

const segmentsIn = (folder: string, names: ReadonlySet<string>): readonly string[] =>
  [...names]
    .filter((name) => segmentNumber(name) !== null)
    .toSorted()
    .map((name) => join(folder, name));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readRegular(path).toString();
  } catch {
    return '';
  }
}
