// Finds a recording by the key of its process, in every month's folder and among the unfinished recordings.
import { isProcessKey } from '../../protocol/process-key.ts';
import { folderOf } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import { readNote } from '../record/recover.ts';
import { readMeta, type StoredMeta } from '../record/stored-meta.ts';

interface FoundRecording {
  readonly meta: StoredMeta;
  readonly folder: string;
}

/** Resolves with null when there is no recording with this key. */
export async function findRecording(
  recorder: Pick<Recorder, 'ready' | 'root' | 'catalog'>,
  key: string,
): Promise<FoundRecording | null> {
  if (!isProcessKey(key)) return null;
  await recorder.ready;
  const running = await readNote(recorder.root, key);
  for (const month of (await recorder.catalog.months()).toReversed()) {
    const folder = folderOf(recorder.root, month, key);
    const meta = (await readMeta(folder)) ?? (running?.month === month ? running.meta : null);
    if (meta?.info.key === key) return { meta, folder };
  }
  return null;
}
