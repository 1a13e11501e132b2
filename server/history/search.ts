// Searches recordings, newest first, in pages of limited time; each page returns the place at which the next
// one begins.
import type { HistoryEntry, HistoryHit } from '../../protocol/history.ts';
import { numberOf, segmentPaths } from '../record/segment-files.ts';
import { nullWhenUnreadable } from '../record/with-file.ts';
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { afterUnread, BEGINNING, joinedCount, type LineCount } from './line-count.ts';
import type { SegmentFound, SegmentHit, SegmentTask } from './match-segment.ts';
import { segmentAround } from './segment-text.ts';
import { TaskTimeout, type HistoryTasks } from './tasks.ts';

export interface HistorySearchLimits {
  readonly historyPageMs: number;
  readonly historyHits: number;
  /** Time limit for one segment; an expression that takes longer is refused. */
  readonly searchMs: number;
}

/** Thrown for an expression that is invalid or takes too long; the message is for the person who typed it. */
export class SearchRefused extends Error {}

/**
 * A recording to search: all of it, or the segments before `segment`, with only the lines before `line` in
 * the last of them.
 */
export interface Candidate {
  readonly entry: HistoryEntry;
  readonly folder: string;
  readonly segment: number | null;
  readonly line: number | null;
}

export interface Searched {
  readonly hits: HistoryHit[];
  readonly searchedBytes: number;
  /** False when the system could not read some of the segments. */
  readonly isComplete: boolean;
  /** Part of this recording that remains to be searched; null when there is none. */
  readonly left: Pick<Candidate, 'segment' | 'line'> | null;
}

export interface SearchOptions {
  readonly isRedacted: boolean;
  /** Returns true when the time limit for this page has passed, or the client that requested it has disconnected. */
  readonly isOver: () => boolean;
  readonly limit: number;
}

/** Returns the beginning of a segment as a count, which joins earlier segments unless output is missing between them. */
const startOf = ({ start }: SegmentFound): LineCount => ({ start, end: start, lines: 0, hasGap: false });

function numbered(
  key: string,
  { linesBefore, linesAfterGap, ...hit }: SegmentHit,
  before: LineCount,
): HistoryHit {
  const isAfterGap = before.hasGap || linesAfterGap !== null;
  const line = (linesAfterGap ?? before.lines + linesBefore) + 1;
  return { key, line, ...(isAfterGap && { isAfterGap }), ...hit };
}

/** Maximum number of segments whose line count is cached. */
const MOST_COUNTED = 10_000;

export class HistorySearch {
  readonly #tasks: HistoryTasks;
  /** Counts of lines, by path, of segments that no longer change. */
  readonly #lines = new Map<string, LineCount>();

  constructor(tasks: HistoryTasks) {
    this.#tasks = tasks;
  }

  /** Checks the expression; throws SearchRefused when it is invalid. */
  check(query: LineQuery): void {
    try {
      expressionOf(query);
    } catch (error) {
      throw new SearchRefused((error as Error).message, { cause: error });
    }
  }

  /**
   * Searches at least one segment of a recording, and others until the page's time limit has passed or
   * `limit` hits are found. Rejects with SearchRefused when a regular expression is too slow, and with TaskTimeout when
   * any other task is.
   */
  async search(
    { entry: { key }, folder, segment: before, line }: Candidate,
    query: LineQuery,
    { isRedacted, isOver, limit }: SearchOptions,
  ): Promise<Searched> {
    const all = await segmentPaths(folder).catch(nullWhenUnreadable);
    if (!all) return { hits: [], searchedBytes: 0, isComplete: false, left: null };
    // Old segments of a long recording may have been removed since the previous page.
    const paths = before === null ? all : all.filter((path) => numberOf(path) < before);
    const isSame = before !== null && numberOf(paths.at(-1) ?? '') === before - 1;
    const hits: HistoryHit[] = [];
    let searchedBytes = 0;
    let isComplete = true;
    let beforeLine = isSame ? line : null;
    for (let at = paths.length - 1; at >= 0; at -= 1) {
      const segment = numberOf(paths[at] ?? '') + 1;
      if (at < paths.length - 1 && (hits.length >= limit || isOver()))
        return { hits, searchedBytes, isComplete, left: { segment, line: null } };
      const found = await this.#match({
        ...segmentAround(all, at),
        query,
        isRedacted,
        limit,
        beforeLine,
      });
      isComplete &&= found.isRead;
      // A segment whose hits take several pages counts on the first of them.
      if (found.isRead && beforeLine === null) searchedBytes += found.bytes;
      beforeLine = null;
      if (found.hits.length === 0) continue;
      const count = joinedCount(await this.#linesBefore(paths.slice(0, at)), startOf(found));
      hits.push(...found.hits.map((hit) => numbered(key, hit, count)));
      const oldest = found.hits.at(-1);
      if (found.isCut && oldest)
        return { hits, searchedBytes, isComplete, left: { segment, line: oldest.linesBefore } };
    }
    return { hits, searchedBytes, isComplete, left: null };
  }

  async #linesBefore(paths: readonly string[]): Promise<LineCount> {
    let count = BEGINNING;
    for (const path of paths) {
      const lines = this.#lines.get(path) ?? (await this.#tasks.ask('count', path));
      // An unread segment is not cached, since the system may be able to read it later.
      if (lines !== null) this.#lines.set(path, lines);
      count = lines === null ? afterUnread(count) : joinedCount(count, lines);
    }
    for (const oldest of this.#lines.keys()) {
      if (this.#lines.size <= MOST_COUNTED) break;
      this.#lines.delete(oldest);
    }
    return count;
  }

  async #match(task: SegmentTask): Promise<SegmentFound> {
    try {
      return await this.#tasks.ask('match', task);
    } catch (error) {
      if (!(error instanceof TaskTimeout) || !task.query.isRegex) throw error;
      throw new SearchRefused(`the expression took ${error.message} for a few megabytes; use a simpler one`, {
        cause: error,
      });
    }
  }
}
