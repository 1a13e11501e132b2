// Finds the real path of an open file, even if its path leads elsewhere by now.
import { readlink, type FileHandle } from 'node:fs/promises';
import { realOf } from '../../host/real-path.ts';

/** Returns the path by which this process can examine an open file (Linux). */
export const openedName = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/** Returns the real path of an open file; on systems without that information, the current target of `path`. */
export async function openedPlace(path: string, handle: FileHandle): Promise<string> {
  const place = await readlink(openedName(handle)).catch(() => null);
  return place ?? realOf(path).catch(() => path);
}
