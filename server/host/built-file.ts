// Finds the files from which the gateway's own programs and worker threads start: built files beside it, or in
// development their sources.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Environment variable with a folder of built files for a gateway that runs from its source. Tests set it,
 * because starting a worker thread through a loader takes several times as long. A built gateway ignores it.
 */
export const BUILT_FILES = 'EXEC_CONSOLE_BUILT_FILES';

/**
 * Returns the path of a built file, such as `keeper.js`; null when none is beside this file and `BUILT_FILES`
 * is not set.
 */
export function builtFile(name: string): string | null {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(beside)) return beside;
  const folder = process.env[BUILT_FILES];
  return folder === undefined ? null : join(folder, name);
}

/** Returns the command line of a program: the built file or, in development, `source`. */
export function ownArgv(name: string, source: URL): string[] {
  const built = builtFile(name);
  if (built !== null) return [process.execPath, built];
  const loader = createRequire(import.meta.url).resolve('tsx');
  return [process.execPath, '--import', loader, fileURLToPath(source)];
}
