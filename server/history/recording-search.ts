// The search of one recording in one page: reads its segments, the newest first, and holds the hits until they are taken.
import type { HistoryHit } from '../../protocol/history.ts';
import type { LineQuery } from '../../text/line-query.ts';
import { numberOf, segmentPaths } from '../record/segment-files.ts';
import { nullWhenUnreadable } from '../record/with-file.ts';
import type { NumberedHit, Remaining, SegmentSearch } from './segment-search.ts';

/** A recording to search, with the part that remains. */
export interface SearchedRecording extends Remaining {
  readonly key: string;
  readonly folder: string;
  /** Time after which no line of the part was printed; Infinity when unknown. */
  readonly endMs: number;
}

/** Bytes of recordings on disk. */
export interface SearchCount {
  /** Bytes that the search covers: read, or excluded by an index. */
  readonly searched: number;
  /** Bytes of files that could not be read, or whose head is damaged. */
  readonly unreadable: number;
}

export interface RecordingQuery {
  readonly query: LineQuery;
  readonly isRedacted: boolean;
  readonly limit: number;
}

const NO_COUNT: SearchCount = { searched: 0, unreadable: 0 };

export class RecordingSearch {
  readonly key: string;
  readonly folder: string;
  readonly #segments: SegmentSearch;
  readonly #counted: (count: SearchCount) => void;
  #left: Remaining;
  #endMs: number;
  #paths: readonly string[] | null = null;
  #held: readonly NumberedHit[] = [];
  /** The part that remains after the held hits. */
  #afterHeld: Remaining;
  /** Size of the segment with the held hits, which counts once the first of them is taken. */
  #heldCount = NO_COUNT;
  #isComplete = true;
  #isDone = false;

  /** `counted` is called with the size of each segment once, on the page on which its first hit is taken. */
  constructor(
    segments: SegmentSearch,
    { key, folder, endMs, segment, line }: SearchedRecording,
    counted: (count: SearchCount) => void,
  ) {
    this.#segments = segments;
    this.key = key;
    this.folder = folder;
    this.#counted = counted;
    this.#left = this.#afterHeld = { segment, line };
    this.#endMs = endMs;
  }

  /** The newest hit that is held; null when there is none. */
  get newest(): HistoryHit | null {
    return this.#held[0]?.hit ?? null;
  }

  /** Time after which no line was printed that is not read yet. */
  get endMs(): number {
    return this.#endMs;
  }

  /** False when some of the segments could not be read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** True when every segment is read and every hit taken. */
  get isDone(): boolean {
    return this.#isDone && this.#held.length === 0;
  }

  /** The part that remains for the next page, including the held hits. */
  get left(): SearchedRecording {
    const { key, folder } = this;
    // The next page reads the segment of the held hits again.
    const endMs = Math.max(this.#endMs, this.newest?.atMs ?? Number.NEGATIVE_INFINITY);
    return { key, folder, endMs, ...this.#left };
  }

  /** Reads the next older segment; only called while no hit is held. `recordedBytes`: size of the recording. */
  async read(query: RecordingQuery, recordedBytes: number): Promise<void> {
    const all = (this.#paths ??= await segmentPaths(this.folder).catch(nullWhenUnreadable));
    if (!all) {
      this.#isComplete = false;
      this.#isDone = true;
      this.#counted({ searched: 0, unreadable: recordedBytes });
      return;
    }
    const { segment: before, line } = this.#afterHeld;
    // Old segments of a long recording may have been removed since the previous page.
    const at = all.findLastIndex((path) => before === null || numberOf(path) < before);
    const path = all[at];
    if (path === undefined) {
      this.#isDone = true;
      return;
    }
    const number = numberOf(path);
    const beforeLine = before !== null && number === before - 1 ? line : null;
    const found = await this.#segments.search(all, at, { ...query, key: this.key, beforeLine });
    const { hits, isCut, isRead, bytes, unreadBytes, fromMs } = found;
    this.#isComplete &&= isRead;
    this.#held = hits;
    // A segment whose hits take several pages counts on the first of them.
    this.#heldCount = beforeLine === null ? { searched: bytes, unreadable: unreadBytes } : NO_COUNT;
    const oldest = hits.at(-1);
    this.#afterHeld = isCut && oldest ? oldest.left : { segment: number, line: null };
    this.#isDone = !isCut && at === 0;
    const olderMs = isCut ? oldest?.hit.atMs : fromMs;
    this.#endMs = Math.min(this.#endMs, olderMs ?? Number.POSITIVE_INFINITY);
    if (hits.length === 0) this.#passed();
  }

  /** Takes the newest line: all its hits. */
  take(): HistoryHit[] {
    const [first] = this.#held;
    if (!first) return [];
    // The next page begins before a line feed, so all hits of a line with a gap are on one page.
    const next = this.#held.findIndex(({ left }) => left.line !== first.left.line);
    const taken = next < 0 ? this.#held : this.#held.slice(0, next);
    this.#held = this.#held.slice(taken.length);
    this.#left = first.left;
    if (this.#held.length === 0) this.#passed();
    else this.#count();
    return taken.map(({ hit }) => hit);
  }

  #passed(): void {
    this.#left = this.#afterHeld;
    this.#count();
  }

  #count(): void {
    this.#counted(this.#heldCount);
    this.#heldCount = NO_COUNT;
  }
}
