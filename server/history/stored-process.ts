// Finds a recorded process of any gateway by its key: its facts, and the folder of its recording.
import { stat } from 'node:fs/promises';
import { isProcessKey } from '../../protocol/process-key.ts';
import { nullWhenMissing } from '../host/regular-file.ts';
import { folderOf, monthOf, shortPath } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import { readNote } from '../record/recover.ts';
import { readMeta, type StoredMeta } from '../record/stored-meta.ts';

export interface StoredProcess {
  readonly meta: StoredMeta;
  readonly folder: string;
}

/** Thrown for a recording whose facts are neither in its own files nor in the catalogue. */
export class DamagedFacts extends Error {
  constructor(key: string) {
    super(`process ${key} cannot be opened: the facts of this recording are damaged`);
  }
}

/**
 * Resolves with the process with this key; null when there is no recording of it. Rejects with DamagedFacts when there
 * is one, but without readable facts.
 */
export async function storedProcess(recorder: Recorder, key: string): Promise<StoredProcess | null> {
  if (!isProcessKey(key)) return null;
  await recorder.ready;
  const { root, catalog } = recorder;
  const note = await readNote(root, key);
  let isDamaged = false;
  for (const month of (await catalog.months()).toReversed()) {
    const folder = folderOf(root, month, key);
    const meta = (await readMeta(folder)) ?? (note?.month === month ? note.meta : null);
    if (meta?.info.key === key && monthOf(meta.info.startedAtMs) === month) return { meta, folder };
    // The catalogue is only read for a recording with files, because it may have 100,000 entries.
    if (!(await exists(folder)) && !(await exists(shortPath(folder)))) continue;
    isDamaged = true;
    for await (const entry of catalog.ofMonth(month))
      if (entry.meta.info.key === key) return { meta: entry.meta, folder };
  }
  if (isDamaged) throw new DamagedFacts(key);
  return null;
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(nullWhenMissing)) !== null;
