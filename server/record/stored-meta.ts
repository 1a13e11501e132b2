// The facts of one recorded process on disk: written at its start and at its end, and once more in the catalogue. A short
// recording has them at the end of its only file.
import type { ProcessInfo } from '../../protocol/console.ts';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { metaPath, shortPath } from './places.ts';
import { decodeHead, recordsIn } from './segment-format.ts';

/** Facts that the gateway knows of a process; without its environment, and without what was typed. */
export interface ProcessFacts {
  readonly info: ProcessInfo;
  readonly isConsole: boolean;
  /** The token that started it. */
  readonly tokenId: string;
  readonly role: string;
  /** `none`, or the kind of its sandbox. */
  readonly sandboxType: string;
  /** Name of the client that started it; null for people, absent in older recordings. */
  readonly clientName?: string | null;
}

export interface StoredMeta extends ProcessFacts {
  readonly version: 1;
  /** Time of the newest thing that is recorded; null while the process is not over. */
  readonly endedAtMs: number | null;
  /** Bytes on disk. */
  readonly recordedBytes: number;
  /** Bytes of output that were never written. */
  readonly lostBytes: number;
}

/** Null when it has not the members that a reader needs. */
export function decodeMeta(text: string): StoredMeta | null {
  try {
    const meta = JSON.parse(text) as StoredMeta;
    const { key, startedAtMs, argv, outputBytes, nextSeq } = meta.info;
    const isWhole =
      meta.version === 1 &&
      typeof key === 'string' &&
      Array.isArray(argv) &&
      [startedAtMs, outputBytes, nextSeq, meta.recordedBytes].every(Number.isFinite);
    return isWhole ? meta : null;
  } catch {
    return null;
  }
}

/** Null when there is none, or a damaged one. */
export async function readMeta(folder: string): Promise<StoredMeta | null> {
  try {
    return decodeMeta(await readFile(metaPath(folder), 'utf8'));
  } catch {
    return shortMeta(await readFile(shortPath(folder)).catch(() => Buffer.alloc(0)));
  }
}

function shortMeta(bytes: Buffer): StoredMeta | null {
  const head = decodeHead(bytes);
  if (!head) return null;
  for (const record of recordsIn(bytes, head))
    if (record.type === 'meta') return decodeMeta(record.payload.toString('utf8'));
  return null;
}

/** Replaces the file as a whole. */
export async function replaceMeta(folder: string, text: string): Promise<void> {
  const path = metaPath(folder);
  await writeFile(`${path}.tmp`, text, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}
