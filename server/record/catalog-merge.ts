// Merges entries of recordings into the catalogue of a month. The file may have 100,000 entries, so other work goes on
// between two parts of it.
import { rename } from 'node:fs/promises';
import { NEW_CONTENT, openRegularAsync, readRegularAsync } from '../host/regular-file.ts';
import { outlineOf } from './catalog-outline.ts';
import type { StoredMeta } from './stored-meta.ts';

const NEWLINE = Buffer.from('\n');
/** Number of buffers, two for each line, between two writes. */
const BUFFERS_AT_ONCE = 1000;

/**
 * Adds the entries at their places, by the ends of their processes; resolves with the growth of all sizes, in bytes. An
 * entry replaces the lines of the same key, which are damaged unless another program has just added them.
 */
export async function mergeEntries(path: string, entries: readonly StoredMeta[]): Promise<number> {
  const keys = new Set(entries.map(({ info }) => info.key));
  const left = entries.toSorted((one, other) => endOf(other) - endOf(one));
  let grown = entries.reduce((sum, { recordedBytes }) => sum + recordedBytes, 0);
  const lines: Buffer[] = [];
  /** Moves the entries of processes that ended before this time to the lines. */
  const take = (endedAtMs: number): void => {
    for (let next = left.at(-1); next && endOf(next) < endedAtMs; next = left.at(-1)) {
      lines.push(Buffer.from(JSON.stringify(next)), NEWLINE);
      left.pop();
    }
  };
  const bytes = await bytesOf(path);
  const file = await openRegularAsync(`${path}.tmp`, NEW_CONTENT);
  try {
    for (const line of linesIn(bytes)) {
      const outline = outlineOf(line);
      if (outline && keys.has(outline.key)) {
        grown -= outline.recordedBytes;
        continue;
      }
      // A damaged line stays after the line before it.
      if (outline) take(outline.endedAtMs ?? 0);
      lines.push(line, NEWLINE);
      if (lines.length >= BUFFERS_AT_ONCE) await file.writeFile(Buffer.concat(lines.splice(0)));
    }
    take(Number.POSITIVE_INFINITY);
    await file.writeFile(Buffer.concat(lines));
  } finally {
    await file.close();
  }
  await rename(`${path}.tmp`, path);
  return grown;
}

const endOf = ({ endedAtMs }: StoredMeta): number => endedAtMs ?? 0;

function* linesIn(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, from);
    const end = newline < 0 ? bytes.length : newline;
    if (end > from) yield bytes.subarray(from, end);
    from = end + 1;
  }
}

/** Returns the content, empty for a missing file; rejects for an unreadable one, which must not be replaced. */
export async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readRegularAsync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
