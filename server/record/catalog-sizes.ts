// Changes sizes in the catalogue. A recording's size changes after its entry was written, and the file may have
// 100,000 other entries, so a number is overwritten in place if the new one fits.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openRegularAsync } from '../host/regular-file.ts';
import { decodeMeta } from './stored-meta.ts';

/** Maximum bytes of an entry that is changed in place. */
const ENTRY_BYTES = 64 * 1024;
const MEMBER = '"recordedBytes":';

export interface SizeChange {
  /** Offset of the entry in the file. */
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

/** Changes sizes in place; resolves with false when an entry must be rewritten instead. */
export async function resizedInPlace(path: string, changes: readonly SizeChange[]): Promise<boolean> {
  if (changes.length === 0) return true;
  const file = await openRegularAsync(path, constants.O_RDWR);
  try {
    let isDone = true;
    for (const change of changes) isDone = (await resizeOne(file, change)) && isDone;
    return isDone;
  } finally {
    await file.close();
  }
}

async function resizeOne(file: FileHandle, { offset, from, to }: SizeChange): Promise<boolean> {
  const bytes = Buffer.alloc(ENTRY_BYTES);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
  const [line = ''] = bytes.toString('latin1', 0, bytesRead).split('\n', 1);
  // The last member of this name counts, because the facts before it may contain another.
  const at = line.lastIndexOf(MEMBER) + MEMBER.length;
  const [room = ''] = /^\d+ */.exec(line.slice(at)) ?? [];
  const text = String(to).padEnd(room.length);
  const changed = `${line.slice(0, at)}${text}${line.slice(at + room.length)}`;
  const isValid =
    text.length === room.length &&
    Number(room) === from &&
    decodeMeta(Buffer.from(changed, 'latin1').toString('utf8'))?.recordedBytes === to;
  if (isValid) await file.write(text, offset + at, 'latin1');
  return isValid;
}

/** Returns the line with the size that `sizes` has for its key; unchanged when there is none. */
export function resizedLine(line: string, sizes: ReadonlyMap<string, number>): string {
  const meta = decodeMeta(line);
  const bytes = meta ? sizes.get(meta.info.key) : undefined;
  return bytes === undefined ? line : JSON.stringify({ ...meta, recordedBytes: bytes });
}
