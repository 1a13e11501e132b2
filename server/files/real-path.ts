// Where a path leads, whether or not anything is there.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Of a path that is not there yet: as far as it is, its real place, and the rest of it. */
export async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realOf(dirname(path)), basename(path));
  }
}

/** Both absolute and resolved; a folder is within itself. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
