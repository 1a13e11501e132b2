// Recordings that an earlier gateway left unfinished: their ends are found, and they get their entry in the catalogue.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog } from './catalog.ts';
import { folderOf, isKey, MONTH, openFolder } from './places.ts';
import { recoverSegment } from './segment-recovery.ts';
import { StoredRecording } from './stored-recording.ts';
import { readMeta, replaceMeta, type StoredMeta } from './stored-meta.ts';

/** The note beside a recording that is not finished. */
export interface OpenNote {
  /** The gateway that records it. */
  readonly owner: { readonly pid: number; readonly startTime: number | null };
  readonly month: string;
}

/** Finishes those of gateways that no longer run. One that is damaged beyond use is left as it is, and not listed. */
export async function recoverUnfinished(
  root: string,
  catalog: Catalog,
  isRunning: (owner: OpenNote['owner']) => boolean,
): Promise<void> {
  const finished: StoredMeta[] = [];
  const notes: string[] = [];
  for (const key of await readdir(openFolder(root))) {
    const path = join(openFolder(root), key);
    const note = decodeNote(await readFile(path, 'utf8').catch(() => ''));
    if (note && isRunning(note.owner)) continue;
    try {
      const meta = note && isKey(key) ? await recovered(folderOf(root, note.month, key)) : null;
      if (meta && !(await isListed(catalog, meta))) finished.push(meta);
    } catch {
      // A foreign or damaged recording never keeps the gateway from starting.
    }
    notes.push(path);
  }
  // The catalogue is in the order of ends.
  finished.sort((one, other) => (one.endedAtMs ?? 0) - (other.endedAtMs ?? 0));
  for (const meta of finished) await catalog.add(meta.info.startedAtMs, JSON.stringify(meta));
  for (const path of notes) await rm(path, { force: true, recursive: true });
}

function decodeNote(text: string): OpenNote | null {
  try {
    const { owner, month } = JSON.parse(text) as OpenNote;
    return typeof owner.pid === 'number' && MONTH.test(month) ? { owner, month } : null;
  } catch {
    return null;
  }
}

/** Time by which entries of the catalogue may be out of their order. */
const OUT_OF_ORDER_MS = 60 * 60_000;

/** True when the gateway died after it had written the entry, and before it had removed the note. */
async function isListed(catalog: Catalog, { info, endedAtMs }: StoredMeta): Promise<boolean> {
  for await (const { meta } of catalog.newestFirst()) {
    if (meta.info.key === info.key) return true;
    if ((meta.endedAtMs ?? 0) < (endedAtMs ?? 0) - OUT_OF_ORDER_MS) return false;
  }
  return false;
}

/** Null where there is nothing to be added. */
async function recovered(folder: string): Promise<StoredMeta | null> {
  const meta = await readMeta(folder);
  // The end of a finished one is known already.
  if (!meta || meta.endedAtMs !== null) return meta;
  const recording = await StoredRecording.open(folder);
  const last = recording.lastSegmentPath;
  if (last !== null) recoverSegment(last);
  const end = await (await StoredRecording.open(folder)).end();
  const { info } = meta;
  const finished: StoredMeta = {
    ...meta,
    info: {
      ...info,
      outputBytes: end.offset,
      nextSeq: end.nextSeq,
      firstRetainedSeq: end.nextSeq,
      state: end.isClosed ? 'closed' : 'lost',
      exitCode: end.exit?.code ?? null,
      sandboxDenied: end.exit?.sandboxDenied ?? false,
      signal: end.exit?.signal ?? null,
      exitedAtMs: end.exit ? end.exit.atMs : null,
    },
    endedAtMs: Math.max(end.atMs, info.startedAtMs),
    recordedBytes: recording.storedBytes,
  };
  await replaceMeta(folder, JSON.stringify(finished));
  return finished;
}
