// Resolves the target of a path, whether or not it exists.
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** The kernel's limit on symbolic links in a path. */
export const MOST_LINKS = 40;

/** Returns the real path of a path that may not exist yet: the existing part resolved, followed by the rest. */
export async function realOf(path: string, mostLinks = MOST_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    const folder = await realOf(dirname(path), mostLinks);
    // The path may be a dangling link; creating a file there would create the target of the link.
    const to = await readlink(path).catch(() => null);
    if (to === null) return join(folder, basename(path));
    if (mostLinks === 0) throw error;
    // The path is not normalized as text, since the part before a `..` may itself be a link.
    return realOf(isAbsolute(to) ? to : `${folder}${sep}${to}`, mostLinks - 1);
  }
}

/** Returns true when `path` is `folder` or below it; both must be absolute and resolved. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
