// Segment files of one recording, and their size.
import { rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { nullWhenMissing } from '../host/regular-file.ts';
import { indexPath, segmentNumber, shortPath } from './places.ts';
import { HEAD_BYTES } from './segment-format.ts';

/**
 * Resolves with the paths of the segments, the oldest first; if there is no folder, with the path of a short
 * recording's only file, which may not exist either. Rejects when the folder cannot be listed.
 */
export async function segmentPaths(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(nullWhenMissing);
  if (!names) return [shortPath(folder)];
  return names
    .filter((name) => segmentNumber(name) !== null)
    .toSorted()
    .map((name) => join(folder, name));
}

/** Returns the number of a segment; 0 for the single file of a short recording. */
export const numberOf = (segmentPath: string): number => segmentNumber(basename(segmentPath)) ?? 0;

/**
 * Removes the newest segment file if it is shorter than a head, as a killed gateway may leave it, because it has no
 * records and would separate the segments around it.
 */
export async function removeHeadless(folder: string): Promise<void> {
  const newest = (await segmentPaths(folder)).at(-1);
  if (newest !== undefined && (statSync(newest, { throwIfNoEntry: false })?.size ?? 0) < HEAD_BYTES)
    rmSync(newest, { force: true });
}

/** Returns the bytes on disk of a segment and its index; a missing file counts as 0. */
export const storedBytesOf = (segmentPath: string): number =>
  [segmentPath, indexPath(segmentPath)].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
