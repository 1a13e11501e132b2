// Finds a program on this machine.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the program's path in the first folder of `path` that has it; null if none has. */
export function which(name, path = process.env.PATH ?? '') {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  return null;
}
