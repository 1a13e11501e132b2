// Searches recordings in pages of limited time, the newest line first. Recordings that overlap in time are searched
// together: a hit is returned once no unread segment of these may have a newer one.
import type { HistoryEntry, HistoryHit, HistorySearchResult } from '../../protocol/history.ts';
import type { LineQuery } from '../../text/line-query.ts';
import { folderOf, monthOf } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Candidates, Listed } from './candidates.ts';
import type { Filter } from './filter.ts';
import { RecordingSearch, type SearchCount } from './recording-search.ts';
import {
  decodeSearchPlace,
  encodeSearchPlace,
  MERGED_RECORDINGS,
  type RemainingPart,
} from './search-place.ts';
import { SegmentSearch } from './segment-search.ts';
import type { HistoryTasks } from './tasks.ts';

export interface HistorySearchLimits {
  readonly historyPageMs: number;
  readonly historyHits: number;
  /** Time limit for one segment; an expression that takes longer is refused. */
  readonly searchMs: number;
}

export interface HistorySearchParts {
  readonly recorder: Pick<Recorder, 'root' | 'storedBytes' | 'flushed' | 'recordedBytes'>;
  readonly candidates: Pick<Candidates, 'from'>;
  readonly tasks: HistoryTasks;
  readonly limits: HistorySearchLimits;
  /** Returns the entry of a process; null when its facts cannot be read. */
  readonly entryOf: (key: string) => Promise<HistoryEntry | null>;
}

export interface HistorySearchOptions {
  readonly filter: Filter & { readonly before?: string | undefined; readonly key?: string | undefined };
  readonly isRedacted: boolean;
  /** Returns true when the client that requested the page has disconnected. */
  readonly isAborted: () => boolean;
}

interface Opened {
  readonly search: RecordingSearch;
  readonly month: string;
  /** Null for a recording that an earlier page has opened, until its entry is needed. */
  readonly entry: HistoryEntry | null;
}

export class HistorySearch {
  readonly #parts: HistorySearchParts;
  readonly #segments: SegmentSearch;

  constructor(parts: HistorySearchParts) {
    this.#parts = parts;
    this.#segments = new SegmentSearch(parts.tasks);
  }

  /** Searches for one page of hits; rejects with SearchRefused for an invalid or slow expression. */
  async page(query: LineQuery, options: HistorySearchOptions): Promise<HistorySearchResult> {
    this.#segments.check(query);
    return new SearchPage(this.#parts, this.#segments, query, options).run();
  }
}

class SearchPage {
  readonly #parts: HistorySearchParts;
  readonly #segments: SegmentSearch;
  readonly #query: LineQuery;
  readonly #options: HistorySearchOptions;
  readonly #from: ReturnType<typeof decodeSearchPlace>;
  readonly #untilMs: number;
  readonly #hits: HistoryHit[] = [];
  /** Recordings that are searched together, in the order in which they were opened. */
  #open: Opened[] = [];
  readonly #found = new Map<string, HistoryEntry | null>();
  #searchedBytes = 0;
  #unreadableBytes = 0;
  #isComplete = true;
  #hasRead = false;

  constructor(
    parts: HistorySearchParts,
    segments: SegmentSearch,
    query: LineQuery,
    options: HistorySearchOptions,
  ) {
    this.#parts = parts;
    this.#segments = segments;
    this.#query = query;
    this.#options = options;
    this.#untilMs = performance.now() + parts.limits.historyPageMs;
    this.#from = decodeSearchPlace(options.filter.before);
    const { key } = options.filter;
    for (const part of this.#from.parts)
      if (key === undefined || part.key === key) this.#openPart(part, null);
  }

  async run(): Promise<HistorySearchResult> {
    const { filter } = this.#options;
    const { historyHits } = this.#parts.limits;
    let { next: place, totalBytes } = this.#from;
    totalBytes ??= filter.key === undefined ? this.#parts.recorder.storedBytes : null;
    const candidates = this.#parts.candidates.from(place, filter, filter.key);
    // The first page opens the only recording, so later ones need not look for it in the rest of the catalogue.
    const isOnlyOpen = filter.key !== undefined && this.#from.totalBytes !== null;
    try {
      let next = isOnlyOpen ? null : await takeFrom(candidates);
      while (this.#hits.length < historyHits) {
        const isOver = this.#isOver;
        const best = this.#newest;
        const bestMs = best?.search.newest?.atMs ?? Number.NEGATIVE_INFINITY;
        const unread = isOver ? null : this.#unreadAfter(bestMs);
        const least = Math.max(bestMs, unread?.search.endMs ?? bestMs);
        if (!isOver && next && this.#open.length < MERGED_RECORDINGS && next.endMs > least) {
          totalBytes ??= this.#sizeOf(next.entry);
          this.#openListed(next);
          ({ place } = next);
          next = await takeFrom(candidates);
        } else if (unread) await this.#read(unread);
        else if (best) await this.#take(best);
        else if (isOver) break;
        else return this.#answer(null, null);
      }
      const isDone = this.#open.length === 0 && next === null;
      const count = this.#countSoFar;
      return this.#answer(
        isDone ? null : encodeSearchPlace({ next: place, parts: this.#remaining(), count, totalBytes }),
        totalBytes,
      );
    } finally {
      await candidates.return(undefined);
    }
  }

  /** True when the time of the page has passed; each page reads at least one segment. */
  get #isOver(): boolean {
    return this.#hasRead && (performance.now() >= this.#untilMs || this.#options.isAborted());
  }

  /** The recording with the newest held hit; null when none holds any. */
  get #newest(): Opened | null {
    let newest: Opened | null = null;
    for (const opened of this.#open) {
      const hit = opened.search.newest;
      if (hit && hit.atMs > (newest?.search.newest?.atMs ?? Number.NEGATIVE_INFINITY)) newest = opened;
    }
    return newest;
  }

  /** Returns the recording without held hits whose unread part ends last, and after this time; null when none does. */
  #unreadAfter(afterMs: number): Opened | null {
    let last: Opened | null = null;
    for (const opened of this.#open) {
      const { search } = opened;
      if (!search.newest && search.endMs > (last?.search.endMs ?? afterMs)) last = opened;
    }
    return last;
  }

  #openListed({ entry, endMs }: Listed): void {
    const month = monthOf(entry.startedAtMs);
    this.#openPart({ key: entry.key, month, endMs, segment: null, line: null }, entry);
  }

  #openPart({ month, ...part }: RemainingPart, entry: HistoryEntry | null): void {
    const folder = folderOf(this.#parts.recorder.root, month, part.key);
    const search = new RecordingSearch(this.#segments, { ...part, folder }, (count) => this.#add(count));
    this.#open.push({ search, month, entry });
  }

  async #read(opened: Opened): Promise<void> {
    const { recorder, limits } = this.#parts;
    const { search, entry } = opened;
    await recorder.flushed(search.key);
    const limit = limits.historyHits - this.#hits.length;
    const { isRedacted } = this.#options;
    await search.read({ query: this.#query, isRedacted, limit }, entry ? this.#sizeOf(entry) : 0);
    this.#hasRead = true;
    this.#isComplete &&= search.isComplete;
    this.#closeDone(opened);
  }

  async #take(opened: Opened): Promise<void> {
    const { search, entry } = opened;
    const { key } = search;
    this.#hits.push(...search.take());
    if (!this.#found.has(key)) this.#found.set(key, entry ?? (await this.#entryOf(key)));
    this.#closeDone(opened);
  }

  #closeDone({ search }: Opened): void {
    if (search.isDone) this.#open = this.#open.filter((each) => each.search !== search);
  }

  /** Returns the entry of a process, from the catalogue if its own facts are damaged. */
  async #entryOf(key: string): Promise<HistoryEntry | null> {
    const entry = await this.#parts.entryOf(key);
    if (entry) return entry;
    const { next } = this.#from;
    const all = { beginMs: next.beginMs, last: { kind: 'ended' as const, entry: null } };
    const candidates = this.#parts.candidates.from(all, {}, key);
    const listed = await takeFrom(candidates);
    await candidates.return(undefined);
    return listed?.entry ?? null;
  }

  #sizeOf({ key, recordedBytes }: HistoryEntry): number {
    return this.#parts.recorder.recordedBytes(key) ?? recordedBytes;
  }

  #remaining(): RemainingPart[] {
    return this.#open.map(({ search, month }) => {
      const { key, endMs, segment, line } = search.left;
      return { key, month, endMs, segment, line };
    });
  }

  #add({ searched, unreadable }: SearchCount): void {
    this.#searchedBytes += searched;
    this.#unreadableBytes += unreadable;
  }

  get #countSoFar(): SearchCount {
    const { searched, unreadable } = this.#from.count;
    return {
      searched: searched + this.#searchedBytes,
      unreadable: unreadable + this.#unreadableBytes,
    };
  }

  /** `estimate`: total bytes; null on the last page, which knows them exactly. */
  #answer(before: string | null, estimate: number | null): HistorySearchResult {
    const { searched, unreadable } = this.#countSoFar;
    const covered = searched + unreadable;
    return {
      hits: this.#hits,
      processes: [...this.#found.values()].flatMap((entry) => entry ?? []),
      searchedBytes: this.#searchedBytes,
      unreadableBytes: this.#unreadableBytes,
      totalBytes: before === null ? covered : Math.max(covered, estimate ?? 0),
      ...(!this.#isComplete && { isComplete: false }),
      before,
    };
  }
}

async function takeFrom(candidates: AsyncGenerator<Listed>): Promise<Listed | null> {
  const { value, done } = await candidates.next();
  return done === true ? null : value;
}
