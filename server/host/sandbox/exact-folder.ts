// Creates and removes folders at a real path; throws if a link has replaced part of the path since it was resolved.
import { closeSync, mkdirSync, openSync, readlinkSync, rmdirSync, constants } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Linux flag that Node does not define: the descriptor only identifies a place, and cannot be read. */
export const O_PATH = 0x200000;

/** Creates a folder. Throws like `mkdirSync`, and when a link has replaced part of the parent folder's path. */
export function makeExactFolder(path: string): void {
  inExactParent(path, (place) => mkdirSync(place, 0o755));
}

/**
 * Removes an empty folder. Throws like `rmdirSync`, and when a link has replaced part of the parent folder's
 * path.
 */
export function removeExactFolder(path: string): void {
  inExactParent(path, (place) => rmdirSync(place));
}

function inExactParent(path: string, act: (place: string) => void): void {
  const parent = dirname(path);
  const descriptor = openSync(parent, O_PATH | constants.O_DIRECTORY);
  const here = `/proc/self/fd/${descriptor}`;
  try {
    const found = readlinkSync(here);
    if (found !== parent) throw new Error(`folder ${parent} was replaced and now leads to ${found}`);
    act(`${here}/${basename(path)}`);
  } catch (error) {
    // The error names the requested path instead of the one used.
    if (error instanceof Error) error.message = error.message.replaceAll(here, parent);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
