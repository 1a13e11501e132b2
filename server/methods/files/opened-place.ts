// The place of an open file, whatever its path leads to by now.
import { readlink, type FileHandle } from 'node:fs/promises';
import { realOf } from '../../host/real-path.ts';

/** The name by which this program can look at an open file (Linux). */
export const openedName = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/** Returns the real path of a file that was opened by `path`; where the system does not tell it, what `path` leads to now. */
export async function openedPlace(path: string, handle: FileHandle): Promise<string> {
  const place = await readlink(openedName(handle)).catch(() => null);
  return place ?? realOf(path).catch(() => path);
}
