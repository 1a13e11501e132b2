// Folders made and removed at the place that a real path names, whatever a link put on the way since then would lead to.
import { closeSync, mkdirSync, openSync, readlinkSync, rmdirSync, constants } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A flag of Linux's fcntl.h that Node has no name for: the descriptor only stands for a place. */
const O_PATH = 0x200000;

/** Throws as `mkdirSync`, also when the folder around it is somewhere else by now. */
export function makeExactFolder(path: string): void {
  inExactParent(path, (place) => mkdirSync(place, 0o755));
}

/** Throws as `rmdirSync`, also when the folder around it is somewhere else by now. */
export function removeExactFolder(path: string): void {
  inExactParent(path, (place) => rmdirSync(place));
}

function inExactParent(path: string, act: (place: string) => void): void {
  const parent = dirname(path);
  const descriptor = openSync(parent, O_PATH | constants.O_DIRECTORY);
  const here = `/proc/self/fd/${descriptor}`;
  try {
    const found = readlinkSync(here);
    if (found !== parent) throw new Error(`${parent} was replaced, and is ${found} now`);
    act(`${here}/${basename(path)}`);
  } catch (error) {
    // The path that was asked for, in the place of the way that was taken.
    if (error instanceof Error) error.message = error.message.replaceAll(here, parent);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
