// Segment files of one recording, and their size.
import { rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { indexPath, segmentNumber, shortPath } from './places.ts';
import { HEAD_BYTES } from './segment-format.ts';

/** Lists the segments, the oldest first, or the single file of a short recording. Rejects when they cannot be listed. */
export async function segmentPaths(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(nullWithoutFolder);
  if (!names) return [shortPath(folder)];
  return names
    .filter((name) => segmentNumber(name) !== null)
    .toSorted()
    .map((name) => join(folder, name));
}

/** Rethrows transient errors, such as a lack of descriptors. */
function nullWithoutFolder(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/**
 * Returns the highest number of a segment file; 0 when there is none. Removes a newest file that is shorter than a head,
 * which a killed gateway may leave, because it has no records and would separate the segments around it.
 */
export async function lastSegmentNumber(folder: string): Promise<number> {
  const paths = await segmentPaths(folder);
  const newest = paths.at(-1);
  if (newest !== undefined && (statSync(newest, { throwIfNoEntry: false })?.size ?? 0) < HEAD_BYTES) {
    rmSync(newest, { force: true });
    paths.pop();
  }
  return segmentNumber(basename(paths.at(-1) ?? '')) ?? 0;
}

/** Returns the bytes on disk of a segment and its index; 0 when there is none. */
export const storedBytesOf = (segmentPath: string): number =>
  [segmentPath, indexPath(segmentPath)].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
