// Segment files of one recording.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentNumber, shortPath } from './places.ts';

/** Lists the segments, the oldest first, or the single file of a short recording. */
export async function segmentPaths(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => null);
  if (!names) return [shortPath(folder)];
  return names
    .filter((name) => segmentNumber(name) !== null)
    .toSorted()
    .map((name) => join(folder, name));
}
