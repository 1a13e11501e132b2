// The version of the package.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Two folders up in both: in `server/cli/`, and in `dist/server/` when built. */
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

export const ownVersion = (): string =>
  String((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: unknown }).version);
