// Validates the facts of a process that are read back from a file.
import { z } from 'zod';
import type { ProcessInfo } from './console.ts';
import { isProcessKey } from './process-key.ts';
import { size } from './scalars.ts';

/** The latest time that a Date can represent, in ms since the epoch. */
const LAST_MS = 8.64e15;
const time = z.number().min(0).max(LAST_MS);
const timeOrNull = time.nullable();
const text = z.string();
const textOrNull = text.nullable();
const count = z.number().min(0);
const named = z.array(z.object({ pid: z.number(), name: text }));
const act = { who: text, how: text, atMs: time };

const processInfo = z.object({
  // The key and the start time are parts of the path below which a recording is removed.
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
  // Older recordings lack the next two members.
  clientName: textOrNull.optional(),
  pinnedBy: textOrNull.optional(),
  watchers: count,
  watchedBy: z.array(text),
  controller: textOrNull,
  acts: z.array(z.object({ ...act, afterSeq: count })),
  endedBy: z.object(act).nullable(),
} satisfies { readonly [name in keyof ProcessInfo]-?: z.ZodType });

/**
 * Returns true when every member has its expected type: one invalid member would break every list that
 * contains the process.
 */
export const isProcessInfo = (value: unknown): value is ProcessInfo => processInfo.safeParse(value).success;
