// Facts of one recorded process on disk, written at its start, at its end, and in the catalogue. A short
// recording has them at the end of its file.
import type { ProcessInfo } from '../../protocol/console.ts';
import { isProcessKey } from '../../protocol/process-key.ts';
import { size } from '../../protocol/scalars.ts';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { metaPath, shortPath } from './places.ts';
import { decodeHead, recordsIn } from './segment-format.ts';

/** Facts of a process, without its environment and typed input. */
export interface ProcessFacts {
  readonly info: ProcessInfo;
  readonly isConsole: boolean;
  /** Id of the token that started it. */
  readonly tokenId: string;
  readonly role: string;
  /** `none`, or the kind of its sandbox. */
  readonly sandboxType: string;
  /** Name of the client that started it; null for people, absent in older recordings. */
  readonly clientName?: string | null;
}

export interface StoredMeta extends ProcessFacts {
  readonly version: 1;
  /** Time of the last recorded event; null while the process runs. */
  readonly endedAtMs: number | null;
  /** Bytes on disk. */
  readonly recordedBytes: number;
  /** Bytes of output that were never written. */
  readonly lostBytes: number;
}

/** The last time that a date can have. */
const LAST_MS = 8.64e15;
const time = z.number().min(0).max(LAST_MS);
const timeOrNull = time.nullable();
const text = z.string();
const textOrNull = text.nullable();
const count = z.number().min(0);
const named = z.array(z.object({ pid: z.number(), name: text }));
const act = { who: text, how: text, atMs: time };

/** Checked because a damaged fact would otherwise fail wherever it is used, for all processes of a list. */
const storedMeta = z.object({
  version: z.literal(1),
  isConsole: z.boolean(),
  tokenId: text,
  role: text,
  sandboxType: text,
  clientName: textOrNull.optional(),
  endedAtMs: timeOrNull,
  recordedBytes: count,
  lostBytes: count,
  info: z.object({
    // The key and the start become a path, below which recordings are removed.
    key: text.refine(isProcessKey),
    startedAtMs: time,
    processId: text,
    session: text,
    startedBy: text,
    metadata: z.record(text, text),
    label: textOrNull,
    restartOf: textOrNull,
    restartable: z.boolean(),
    argv: z.array(text),
    cwd: text,
    tty: z.boolean(),
    pipeStdin: z.boolean(),
    pid: z.number(),
    size: size.nullable(),
    sandbox: text,
    state: z.enum(['waiting-for-approval', 'starting', 'running', 'exited', 'closed', 'lost']),
    exitCode: z.number().nullable(),
    signal: textOrNull,
    sandboxDenied: z.boolean(),
    exitedAtMs: timeOrNull,
    terminatingSinceMs: timeOrNull,
    killAtMs: timeOrNull,
    survivors: named,
    escaped: named,
    allEndedAtMs: timeOrNull,
    outputHeld: z.boolean(),
    lastOutputAtMs: timeOrNull,
    lastInput: z.object({ session: text, who: text, atMs: time }).nullable(),
    outputBytes: count,
    nextSeq: count,
    firstRetainedSeq: count,
    title: textOrNull,
    lastLine: textOrNull,
    bellAtMs: timeOrNull,
    notification: z.object({ text, atMs: time }).nullable(),
    progress: z.object({ state: text, percent: z.number().nullable() }).nullable(),
    waitsForInput: z.boolean(),
    stillRunning: z.literal(true).optional(),
    notRecorded: z.literal(true).optional(),
    // Older recordings have none.
    pinnedBy: textOrNull.optional(),
    watchers: count,
    watchedBy: z.array(text),
    controller: textOrNull,
    acts: z.array(z.object({ ...act, afterSeq: count })),
    endedBy: z.object(act).nullable(),
  } satisfies { readonly [name in keyof ProcessInfo]-?: z.ZodType }),
});

/** Returns null when a member is missing, or cannot be what it is for. */
export function decodeMeta(line: string): StoredMeta | null {
  try {
    const meta: unknown = JSON.parse(line);
    return storedMeta.safeParse(meta).success ? (meta as StoredMeta) : null;
  } catch {
    return null;
  }
}

/** Returns null for a missing or damaged file. */
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

/** Replaces the whole file atomically. */
export async function replaceMeta(folder: string, text: string): Promise<void> {
  const path = metaPath(folder);
  await writeFile(`${path}.tmp`, text, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}
