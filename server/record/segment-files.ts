// Segment files of one recording, and their size.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { indexPath, segmentNumber, shortPath } from './places.ts';

/** Lists the segments, the oldest first, or the single file of a short recording. */
export async function segmentPaths(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => null);
  if (!names) return [shortPath(folder)];
  return names
    .filter((name) => segmentNumber(name) !== null)
    .toSorted()
    .map((name) => join(folder, name));
}

/** Returns the bytes on disk of a segment and its index; 0 when there is none. */
export const storedBytesOf = (segmentPath: string): number =>
  [segmentPath, indexPath(segmentPath)].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
