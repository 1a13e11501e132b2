// Lines found by a search, which a person steps through in the panes without opening the search again.
import { createStore } from 'zustand/vanilla';
import type { ExecClient } from '../../../client/exec-client.ts';
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
  /** True when the recording with the line was removed, so that stepping skips the line. */
  readonly isRemoved?: boolean;
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

/** Marks the lines of removed recordings. Never unsubscribes. */
export function followRemovals(client: Pick<ExecClient, 'processes'>): void {
  client.processes.onChanged(({ recordingsRemoved }) => {
    const { found } = foundLines.getState();
    if (!found || !recordingsRemoved) return;
    found.reader?.drop(recordingsRemoved);
    const keys = recordingsRemoved.recordings.map(({ key }) => key);
    // A limit removes recordings of processes whose retained output can still be read.
    const gone = new Set(found.reader ? keys : keys.filter((key) => !client.processes.get(key)));
    if (!found.lines.some(({ key }) => gone.has(key))) return;
    const lines = found.lines.map((line) => (gone.has(line.key) ? { ...line, isRemoved: true } : line));
    foundLines.setState({ found: { ...found, lines } });
  });
}

/** Returns the index of the next line, or with -1 the previous one; null if none is left. */
export function stepOf(found: FoundLines, by: 1 | -1): number | null {
  let at = found.at + by;
  while (found.lines[at]?.isRemoved) at += by;
  if (at < 0) return null;
  return at < found.lines.length || hasMore(found) ? at : null;
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
    // The lines so far stay where they are, since the reader no longer has those of removed recordings.
    const known = new Set(lines.map(placeOf));
    const more = linesOfHistory(state.entries, state.hits).filter((line) => !known.has(placeOf(line)));
    all = [...lines, ...more];
  }
  return all;
}

const placeOf = ({ key, offset }: FoundLine): string => `${key} ${offset}`;

/** True when the reader may find more lines. */
export const hasMore = ({ reader }: FoundLines): boolean => reader?.current().hasMore ?? false;
