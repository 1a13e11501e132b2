// History: processes of this gateway and of earlier ones, as far as they are recorded. Our own part of the wire.
import { z } from 'zod';
import type { ProcessInfo } from './console.ts';
import { count } from './scalars.ts';

/** Most entries of one page. */
const PAGE_ENTRIES = 1000;
/** Most keys of one removal. */
const REMOVED_KEYS = 1000;

const filterShape = {
  /** The name of the token that started it. */
  agent: z.string().max(256).optional(),
  /** Only what still ran at this time, or later. */
  sinceMs: count.optional(),
  /** Only what started before this time. */
  untilMs: count.optional(),
  /** Only what ended with another exit code than 0, by a signal, or unknown. */
  failed: z.boolean().optional(),
  /** Place at which the page before ended. */
  before: z.string().max(100).optional(),
};

export const historyParams = z.object({
  ...filterShape,
  /** The only process. */
  key: z.string().max(64).optional(),
  limit: count.min(1).max(PAGE_ENTRIES).optional(),
});

export const historySearchParams = z.object({
  ...filterShape,
  /** The only process. */
  key: z.string().max(64).optional(),
  query: z.string().min(1, 'must not be empty').max(1000),
  regex: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
});

export const historyRemoveParams = z.object({
  keys: z.array(z.string().max(64)).max(REMOVED_KEYS).optional(),
  /** Only what ended before this time. */
  beforeMs: count.optional(),
  agent: z.string().max(256).optional(),
});

/** A process as it was at its end, or as it is. */
export interface HistoryEntry extends ProcessInfo {
  /** Bytes of its recording on disk; 0 when there is none. */
  readonly recordedBytes: number;
  /** Name by which the client that started it introduced itself; null where it is not known, and for people. */
  readonly clientName: string | null;
}

export interface HistoryResult {
  /** Processes, newest first: those that run, then by the time of their end. */
  readonly processes: readonly HistoryEntry[];
  /** Place at which the next page begins; null when there is none. */
  readonly before: string | null;
}

export interface HistoryHit {
  readonly key: string;
  /** Number of the line in the output of its process, from 1. */
  readonly line: number;
  readonly text: string;
  /** Index in `text` where the first match begins; `end` is where it ends. */
  readonly start: number;
  readonly end: number;
  /** Time when the line was printed. */
  readonly atMs: number;
  /** Decoded bytes of all of the process's output before the line. */
  readonly offset: number;
  /** Number of the event that the line begins in. */
  readonly seq: number;
}

export interface HistorySearchResult {
  /** The newest process first, and of each its newest line first. */
  readonly hits: readonly HistoryHit[];
  /** The processes of the hits. */
  readonly processes: readonly HistoryEntry[];
  /** Bytes of recordings that this page has searched, and of all recordings. */
  readonly searchedBytes: number;
  readonly totalBytes: number;
  /** Place at which the search goes on; null when all is searched. */
  readonly before: string | null;
}

export interface HistoryRemoveResult {
  readonly removed: number;
  readonly removedBytes: number;
}
