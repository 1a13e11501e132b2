// Computes the id of a keeper's program: a keeper upgrades itself when its gateway's program has a different id.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Returns the id of a program file under this version of Node; throws when the file cannot be read. */
export const programId = (file: string): string =>
  createHash('sha256').update(process.version).update(readFileSync(file)).digest('hex');
