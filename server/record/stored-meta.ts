// Facts of one recorded process on disk: in its note while the process runs, and then in the folder of its recording
// and in the catalogue. A short recording has them at the end of its file.
import type { ProcessInfo } from '../../protocol/console.ts';
import { isProcessInfo } from '../../protocol/process-info.ts';
import { rename } from 'node:fs/promises';
import { nullWhenMissing, readRegularAsync, writeRegularAsync } from '../host/regular-file.ts';
import { metaPath, shortPath } from './places.ts';
import { recordsIn } from './segment-format.ts';
import { headOf } from './segment-head.ts';

/** Facts of a process, without its environment and typed input. */
export interface ProcessFacts {
  readonly info: ProcessInfo;
  readonly isConsole: boolean;
  /** Id of the token that started the process. */
  readonly tokenId: string;
  readonly role: string;
  /** `none`, or the kind of sandbox. */
  readonly sandboxType: string;
  /** Name of the client that started the process; null for people, absent in older recordings. */
  readonly clientName?: string | null;
}

export interface StoredMeta extends ProcessFacts {
  readonly version: 1;
  /** Time at which the process was closed, or of its last event if its recording ended earlier; null until then. */
  readonly endedAtMs: number | null;
  /** Bytes on disk. */
  readonly recordedBytes: number;
  /** Bytes of output that were never written. */
  readonly lostBytes: number;
}

/**
 * Parses the facts of a recorded process; returns null when the text is not JSON, or a member is missing or
 * invalid.
 */
export function decodeMeta(text: string): StoredMeta | null {
  try {
    return metaOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns the value as the facts of a recorded process; null when a member is missing or invalid. */
export function metaOf(value: unknown): StoredMeta | null {
  try {
    const meta = value as StoredMeta;
    const { version, info, isConsole, tokenId, role, sandboxType, clientName } = meta;
    const { endedAtMs, recordedBytes, lostBytes } = meta;
    const isWhole =
      version === 1 &&
      isProcessInfo(info) &&
      typeof isConsole === 'boolean' &&
      [tokenId, role, sandboxType, clientName ?? ''].every((each) => typeof each === 'string') &&
      [endedAtMs ?? 0, recordedBytes, lostBytes].every(Number.isFinite);
    return isWhole ? meta : null;
  } catch {
    return null;
  }
}

/**
 * Returns the facts from the folder, or from the file of a short recording; null when missing or damaged. Rejects when
 * they cannot be read.
 */
export async function readMeta(folder: string): Promise<StoredMeta | null> {
  const facts = await readRegularAsync(metaPath(folder)).catch(nullWhenMissing);
  if (facts) return decodeMeta(facts.toString());
  const short = await readRegularAsync(shortPath(folder)).catch(nullWhenMissing);
  return short && shortMeta(short);
}

function shortMeta(bytes: Buffer): StoredMeta | null {
  const head = headOf(bytes);
  if (!head) return null;
  for (const record of recordsIn(bytes, head))
    if (record.type === 'meta') return decodeMeta(record.payload.toString('utf8'));
  return null;
}

/** Replaces the facts in the folder of a recording atomically. */
export async function replaceMeta(folder: string, text: string): Promise<void> {
  const path = metaPath(folder);
  await writeRegularAsync(`${path}.tmp`, text);
  await rename(`${path}.tmp`, path);
}
