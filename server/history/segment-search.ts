// Searches single segments in the thread for recordings, and numbers the lines that are found in them.
import type { HistoryHit } from '../../protocol/history.ts';
import { expressionOf, type LineQuery } from '../../text/line-query.ts';
import { numberOf } from '../record/segment-files.ts';
import { afterUnread, BEGINNING, joinedCount, type LineCount } from './line-count.ts';
import type { SegmentFound, SegmentHit, SegmentTask } from './match-segment.ts';
import { segmentAround } from './segment-text.ts';
import { TaskTimeout, type HistoryTasks } from './tasks.ts';

/** Thrown for an expression that is invalid or takes too long; the message is for the person who typed it. */
export class SearchRefused extends Error {}

/** Part of a recording that remains to be searched: the segments with lower numbers than `segment`; null for all. */
export interface Remaining {
  readonly segment: number | null;
  /** Only the lines before this one in the last of these segments; null for all lines. */
  readonly line: number | null;
}

export interface NumberedHit {
  readonly hit: HistoryHit;
  /** Part that remains to be searched after this hit. */
  readonly left: Remaining;
}

export interface SegmentSearched extends Pick<SegmentFound, 'bytes' | 'unreadBytes' | 'fromMs' | 'isRead'> {
  /** Hits, newest first. */
  readonly hits: readonly NumberedHit[];
  readonly isCut: boolean;
}

export interface SegmentQuery extends Pick<SegmentTask, 'query' | 'isRedacted' | 'limit' | 'beforeLine'> {
  readonly key: string;
}

/** Maximum number of segments whose line count is cached. */
const MOST_COUNTED = 10_000;

export class SegmentSearch {
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
   * Searches the segment `paths[at]`; `paths` are those of the recording, the oldest first. Rejects with SearchRefused
   * when a regular expression is too slow, and with TaskTimeout when any other task is.
   */
  async search(paths: readonly string[], at: number, asked: SegmentQuery): Promise<SegmentSearched> {
    const { key, ...task } = asked;
    const found = await this.#match({ ...segmentAround(paths, at), ...task });
    if (found.hits.length === 0) return { ...found, hits: [] };
    const count = joinedCount(await this.#linesBefore(paths.slice(0, at)), startOf(found));
    const segment = numberOf(paths[at] ?? '') + 1;
    const hits = found.hits.map((hit) => ({
      hit: numbered(key, hit, count),
      left: { segment, line: hit.linesBefore },
    }));
    return { ...found, hits };
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
