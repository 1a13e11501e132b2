// Reads the version of this package.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package is two folders up from both `server/cli/` and `dist/server/`. */
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

export const ownVersion = (): string =>
  String((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: unknown }).version);
