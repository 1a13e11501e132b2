// Finishes recordings that an earlier gateway left open: finds their end, and adds their catalogue entry.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessKey } from '../../protocol/process-key.ts';
import { isSystemError, nullWhenMissing, readRegularAsync, writeRegularAsync } from '../host/regular-file.ts';
import type { Catalog } from './catalog.ts';
import { folderOf, MONTH, openFolder } from './places.ts';
import type { RecorderOptions } from './recorder-options.ts';
import { storedBytesOf } from './segment-files.ts';
import { recoverSegment } from './segment-recovery.ts';
import { StoredRecording } from './stored-recording.ts';
import { metaOf, readMeta, replaceMeta, type StoredMeta } from './stored-meta.ts';

/** Note of an unfinished recording. */
export interface OpenNote {
  /** Program in which the process runs: a keeper, or the gateway itself. */
  readonly owner: { readonly pid: number; readonly startTime: number | null };
  readonly month: string;
  /**
   * Facts at the start of the process; null in the notes of earlier versions, which wrote them into the folder of the
   * recording.
   */
  readonly meta: StoredMeta | null;
}

/** Returns the note of a recording; null when there is no valid one, as for a finished recording. */
export const readNote = async (root: string, key: string): Promise<OpenNote | null> =>
  decodeNote((await readRegularAsync(join(openFolder(root), key)).catch(nullWhenMissing))?.toString() ?? '');

/** Writes one file with owner and facts, since creating files takes most of the time that recording adds to a start. */
export const writeNote = (root: string, key: string, note: OpenNote): Promise<void> =>
  writeRegularAsync(join(openFolder(root), key), JSON.stringify(note));

export const removeNote = (root: string, key: string): Promise<void> =>
  rm(join(openFolder(root), key), { force: true });

/**
 * Finishes the recordings of programs that no longer run and of processes that nothing holds, and removes their notes.
 * A damaged recording is left unchanged and not listed; one that cannot be read because of a system error is
 * tried again at the next start.
 */
export async function recoverUnfinished(
  root: string,
  catalog: Catalog,
  { isRunning, isHeld }: Pick<RecorderOptions, 'isRunning' | 'isHeld'>,
): Promise<void> {
  const finished: StoredMeta[] = [];
  const notes: string[] = [];
  for (const key of await readdir(openFolder(root))) {
    const path = join(openFolder(root), key);
    try {
      const note = await readNote(root, key);
      if (note && (isRunning(note.owner) || isHeld(key))) continue;
      const meta = note && isProcessKey(key) ? await recovered(root, key, note) : null;
      // The entry exists when the gateway died before it removed the note.
      if (meta && !(await catalog.has(meta))) finished.push(meta);
    } catch (error) {
      // A foreign or damaged recording must not prevent the gateway's start.
      if (isSystemError(error) && error.code !== 'ENOENT') continue;
    }
    notes.push(path);
  }
  // Catalogue entries are in the order in which processes ended.
  finished.sort((one, other) => (one.endedAtMs ?? 0) - (other.endedAtMs ?? 0));
  for (const meta of finished) await catalog.add(meta.info.startedAtMs, JSON.stringify(meta));
  for (const path of notes) await rm(path, { force: true, recursive: true });
}

function decodeNote(text: string): OpenNote | null {
  try {
    const { owner, month, meta } = JSON.parse(text) as OpenNote;
    return typeof owner.pid === 'number' && MONTH.test(month) ? { owner, month, meta: metaOf(meta) } : null;
  } catch {
    return null;
  }
}

/** Finishes a recording if necessary, and returns its facts; null when these are missing or damaged. */
export async function recovered(
  root: string,
  key: string,
  note: Pick<OpenNote, 'month' | 'meta'>,
): Promise<StoredMeta | null> {
  const folder = folderOf(root, note.month, key);
  const meta = (await readMeta(folder)) ?? (note.meta?.info.key === key ? note.meta : null);
  // A recording with a stored end is already finished.
  if (!meta || meta.endedAtMs !== null) return meta;
  const recording = await StoredRecording.open(folder);
  const last = recording.lastSegmentPath;
  const lost = last === null ? null : (recoverSegment(last)?.lost ?? null);
  const end = await (await StoredRecording.open(folder)).end();
  const { info } = meta;
  const nextSeq = end.nextSeq + (lost?.events ?? 0);
  const finished: StoredMeta = {
    ...meta,
    info: {
      ...info,
      outputBytes: Math.max(end.offset, lost?.endOffset ?? 0),
      nextSeq,
      firstRetainedSeq: nextSeq,
      state: end.isClosed ? 'closed' : 'lost',
      exitCode: end.exit?.code ?? null,
      sandboxDenied: end.exit?.sandboxDenied ?? false,
      signal: end.exit?.signal ?? null,
      exitedAtMs: end.exit ? end.exit.atMs : null,
    },
    endedAtMs: Math.max(end.atMs, info.startedAtMs),
    recordedBytes: recording.segments.reduce((sum, { path }) => sum + storedBytesOf(path), 0),
  };
  await replaceMeta(folder, JSON.stringify(finished));
  return finished;
}
