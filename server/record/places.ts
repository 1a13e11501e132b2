// Paths of recordings below the state folder's `rec`: each month's folder has a folder or a file for each
// process.
import { join } from 'node:path';

export const MONTH = /^\d{4}-\d{2}$/;
const SEGMENT = /^(\d{8})\.xcr$/;

/** Returns `yyyy-mm` in UTC. */
export const monthOf = (startedAtMs: number): string => new Date(startedAtMs).toISOString().slice(0, 7);

export const folderOf = (root: string, month: string, key: string): string => join(root, month, key);
/** Returns the path of the only file of a short recording, which has no folder. */
export const shortPath = (folder: string): string => `${folder}.xcr`;
export const metaPath = (folder: string): string => join(folder, 'meta.json');
export const marksPath = (folder: string): string => join(folder, 'marks.jsonl');
export const catalogPath = (root: string, month: string): string => join(root, month, 'catalog.jsonl');
/** Returns the folder with one note for each unfinished recording; the note's name is the recording's key. */
export const openFolder = (root: string): string => join(root, 'open');

/** Returns the folder of files that are written completely before they are moved into place. */
export const newFolder = (root: string): string => join(root, 'new');

export const segmentName = (number: number): string => `${String(number).padStart(8, '0')}.xcr`;
export const indexPath = (segmentPath: string): string => segmentPath.replace(/\.xcr$/, '.xci');

/** Returns the number of a segment; null for the name of another file. */
export function segmentNumber(name: string): number | null {
  const [, digits] = SEGMENT.exec(name) ?? [];
  return digits === undefined ? null : Number(digits);
}
