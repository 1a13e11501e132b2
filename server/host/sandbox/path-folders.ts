// Finds the folders in which the names of a path are looked up, also on the way through links.
import { readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { MOST_LINKS } from '../real-path.ts';

const namesIn = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');

/**
 * Resolves with the real path of each folder that contains a part of an absolute path, or of a link on the way. Whoever
 * can write to one of them can make the path lead elsewhere.
 */
export async function foldersOnWay(path: string): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  const rest = namesIn(path);
  let folder = '/';
  let links = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '..') {
      folder = dirname(folder);
      continue;
    }
    folders.add(folder);
    const target = await readlink(join(folder, name)).catch(() => null);
    if (target === null) folder = join(folder, name);
    else if (links >= MOST_LINKS) break;
    else {
      links += 1;
      if (isAbsolute(target)) folder = '/';
      rest.unshift(...namesIn(target));
    }
  }
  return folders;
}
