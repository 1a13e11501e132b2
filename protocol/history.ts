// History: recorded processes of this gateway and of earlier ones. Exec-console's extension of the
// protocol.
import { z } from 'zod';
import type { ProcessInfo } from './console.ts';
import { count } from './scalars.ts';

/** Maximum number of entries per page. */
const PAGE_ENTRIES = 1000;
/** Maximum length of the cursor of a search, which names the recordings that are searched together. */
const SEARCH_CURSOR = 2000;
/** Maximum number of keys per removal. */
const REMOVED_KEYS = 1000;

const filterShape = {
  /** Name of the token that started the process. */
  agent: z.string().max(256).optional(),
  /** Returns only processes that were running at this time or later. */
  sinceMs: count.optional(),
  /** Returns only processes started before this time. */
  untilMs: count.optional(),
  /** True to return only processes that were lost, were killed by a signal, or exited with a non-zero code. */
  failed: z.boolean().optional(),
  /** Absolute path: returns only processes that were started in this folder or below it. */
  folder: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
  /** Cursor at which the previous page ended. */
  before: z.string().max(100).optional(),
};

export const historyParams = z.object({
  ...filterShape,
  /** Key of a single process to return. */
  key: z.string().max(64).optional(),
  limit: count.min(1).max(PAGE_ENTRIES).optional(),
});

export const historySearchParams = z.object({
  ...filterShape,
  before: z.string().max(SEARCH_CURSOR).optional(),
  /** Key of a single process to search. */
  key: z.string().max(64).optional(),
  query: z.string().min(1, 'must not be empty').max(1000),
  regex: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
});

export const historyRemoveParams = z.object({
  keys: z.array(z.string().max(64)).max(REMOVED_KEYS).optional(),
  /** Removes only processes that ended before this time. */
  beforeMs: count.optional(),
  agent: z.string().max(256).optional(),
});

/** A process in its current or final state. */
export interface HistoryEntry extends ProcessInfo {
  /** Size of the recording on disk; 0 if there is none. */
  readonly recordedBytes: number;
  /** Name with which the starting client introduced itself; null for people, or if unknown. */
  readonly clientName: string | null;
}

export interface HistoryResult {
  /**
   * Processes that have no recording or were running when the first page was requested, newest start first; then the
   * others: by month of their start, and within a month by end, newest first.
   */
  readonly processes: readonly HistoryEntry[];
  /** Cursor for the next page; null if there is none. */
  readonly before: string | null;
}

export interface HistoryHit {
  readonly key: string;
  /** Line number, counted from 1 at the start or after the last gap. */
  readonly line: number;
  /** True for a number that is counted from a gap; omitted otherwise. */
  readonly isAfterGap?: boolean;
  readonly text: string;
  /** Start of the first match in `text`; `end` is the index after it. */
  readonly start: number;
  readonly end: number;
  /** Time when the gateway read the start of the line. */
  readonly atMs: number;
  /** Decoded bytes of the process's output before the line. */
  readonly offset: number;
  /** Seq of the event in which the line begins. */
  readonly seq: number;
}

export interface HistorySearchResult {
  /** Hits, newest line first, across processes as far as recordings are searched together (see the documentation). */
  readonly hits: readonly HistoryHit[];
  readonly processes: readonly HistoryEntry[];
  /** Bytes of recordings, on disk, that were searched for this page: read, or excluded by an index. */
  readonly searchedBytes: number;
  /** Bytes of recordings that could not be read for this page, or whose beginning is damaged. */
  readonly unreadableBytes: number;
  /**
   * Sum of `searchedBytes` and `unreadableBytes` of all pages on the last one; an estimate before: the bytes of all
   * recordings, or of the one with the requested key.
   */
  readonly totalBytes: number;
  /** False when some recordings could not be read for this page; omitted otherwise. */
  readonly isComplete?: boolean;
  /** Cursor at which the search continues; null when everything was searched. */
  readonly before: string | null;
}

export interface HistoryRemoveResult {
  readonly removed: number;
  readonly removedBytes: number;
}
