// The identity of a keeper's program: a gateway whose own is another has the keeper become that.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Returns the id of the program in a file, run by this version of Node; throws when it cannot be read. */
export const programId = (file: string): string =>
  createHash('sha256').update(process.version).update(readFileSync(file)).digest('hex');
