// Reads files that the operator names and other users may replace: never blocks, and checks the opened file instead of
// its path.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { numberText } from '../../text/amounts.ts';

/** Maximum size of such a file; a certificate chain is a few kilobytes. */
const MOST_BYTES = 1024 * 1024;

export interface PlainFile {
  readonly bytes: Buffer;
  readonly stat: Stats;
}

/** Reads a file of at most MOST_BYTES; throws for a larger one, a pipe (which would block), a device or a folder. */
export function readPlainFile(path: string): PlainFile {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.size > MOST_BYTES) throw new Error(`it has more than ${numberText(MOST_BYTES)} bytes`);
    return { bytes: readFileSync(handle), stat };
  } finally {
    closeSync(handle);
  }
}
