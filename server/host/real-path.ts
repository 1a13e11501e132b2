// Where a path leads, whether or not anything is there.
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** As many as the system follows. */
const MOST_LINKS = 40;

/** Of a path that is not there yet: as far as it is, its real place, and the rest of it. */
export async function realOf(path: string, mostLinks = MOST_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    const folder = await realOf(dirname(path), mostLinks);
    // Whoever makes a file by that name makes the one that the link leads to.
    const to = await readlink(path).catch(() => null);
    if (to === null) return join(folder, basename(path));
    if (mostLinks === 0) throw error;
    // Not resolved by its letters: what is before a .. may be a link itself.
    return realOf(isAbsolute(to) ? to : `${folder}${sep}${to}`, mostLinks - 1);
  }
}

/** Both absolute and resolved; a folder is within itself. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
