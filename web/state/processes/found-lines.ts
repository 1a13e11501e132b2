// Lines found by a search, which a person steps through in the panes without opening the search again.
import { createStore } from 'zustand/vanilla';
import type { HistoryEntry, HistoryHit } from '../../../protocol/history.ts';
import type { SearchHit } from '../../../protocol/looks.ts';
import { openDialog } from '../page/page-store.ts';
import { historyQuery, type HistoryQuery } from './history-query.ts';
import type { HistoryReader } from './history-reader.ts';
import { cutIndex } from '../../../text/cut.ts';

export interface FoundLine {
  readonly key: string;
  /** Offset of the line in bytes of decoded output. */
  readonly offset: number;
  readonly text: string;
  /** Start of the match in `text`. */
  readonly start: number;
  /** Time when the line was printed; null if unknown. */
  readonly atMs: number | null;
  /** History entry of the line's process; null for a search in the retained output. */
  readonly entry: HistoryEntry | null;
}

export interface FoundLines {
  /** Query of the history; null for a search in the retained output. */
  readonly asked: HistoryQuery | null;
  readonly query: string;
  readonly lines: readonly FoundLine[];
  /** Index of the line shown. */
  readonly at: number;
  /** Reader that finds more lines; null for a search in the retained output, whose hits are all in `lines`. */
  readonly reader: HistoryReader | null;
  /**
   * Key of the process whose pane was opened only for the current line; the pane closes when a line of another process
   * is shown. Null when the pane was open before.
   */
  readonly preview: string | null;
}

export const foundLines = createStore<{ readonly found: FoundLines | null }>(() => ({ found: null }));

/** Shows all results in the dialog that found them. */
export function showAllFound(): void {
  const { found } = foundLines.getState();
  if (found?.asked) historyQuery.setState(found.asked);
  openDialog(found?.asked ? 'history' : 'search');
}

export const leaveFoundLines = (): void => foundLines.setState({ found: null });

/** Returns the lines of a search in the retained output. */
export const linesOfSearch = (hits: readonly SearchHit[]): FoundLine[] =>
  hits.map(({ key, offset, text, start }) => ({ key, offset, text, start, atMs: null, entry: null }));

/** Successive hits of one process. */
export interface RunOfHits {
  readonly entry: HistoryEntry;
  readonly hits: readonly HistoryHit[];
}

/** Returns the hits in their order, newest first, so that a process may have several runs; omits those without an entry. */
export function runsOfHits(entries: readonly HistoryEntry[], hits: readonly HistoryHit[]): RunOfHits[] {
  const known = new Map(entries.map((entry) => [entry.key, entry]));
  const runs: { entry: HistoryEntry; hits: HistoryHit[] }[] = [];
  for (const hit of hits) {
    const last = runs.at(-1);
    const entry = known.get(hit.key);
    if (last?.entry.key === hit.key) last.hits.push(hit);
    else if (entry) runs.push({ entry, hits: [hit] });
  }
  return runs;
}

/** Returns the lines of a search in the history, in the order in which the dialog shows them. */
export const linesOfHistory = (entries: readonly HistoryEntry[], hits: readonly HistoryHit[]): FoundLine[] =>
  runsOfHits(entries, hits).flatMap((run) =>
    run.hits.map(({ key, offset, text, start, atMs }) => ({
      key,
      offset,
      text,
      start,
      atMs,
      entry: run.entry,
    })),
  );

/**
 * Returns text by which a pane recognizes the line. The text starts shortly before the match, since the beginning of a
 * long line may no longer be in the scrollback.
 */
export const textAround = ({ text, start }: FoundLine): string =>
  text.slice(cutIndex(text, Math.max(0, start - BEFORE_CHARS)));
const BEFORE_CHARS = 20;

/**
 * Loads lines until there is one at index `at`, there are no more, or reading fails; resolves to all lines
 * found so far.
 */
export async function linesTo({ lines, reader }: FoundLines, at: number): Promise<readonly FoundLine[]> {
  if (!reader) return lines;
  let all = lines;
  for (let state = reader.current(); at >= all.length && state.hasMore && state.problem === null;) {
    await reader.more();
    state = reader.current();
    all = linesOfHistory(state.entries, state.hits);
  }
  return all;
}

/** True when the reader may find more lines. */
export const hasMore = ({ reader }: FoundLines): boolean => reader?.current().hasMore ?? false;
